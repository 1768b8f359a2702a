// A refusal: a status as that of the server, and a sentence.
export class Failed extends Error {
  constructor(public status: number, message: string) { super(message); }
}
