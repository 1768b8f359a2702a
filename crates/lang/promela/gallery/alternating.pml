/* The alternating bit: what is sent arrives once and in order, though messages get lost. */
#define MAX 3

mtype = { data, ack };

chan there = [1] of { mtype, bit, byte };
chan back = [1] of { mtype, bit };

active proctype Sender()
{
	bit mine, seen;
	byte number;
	do
	:: there!data(mine, number) ->
	   if
	   :: back?ack(seen) ->
	      if
	      :: seen == mine -> mine = 1 - mine; number = (number + 1) % MAX
	      :: else
	      fi
	   :: timeout	/* it was lost: send it again */
	   fi
	od
}

active proctype Receiver()
{
	bit wanted, got;
	byte number, next;
	do
	:: there?data(got, number) ->
	   if
	   :: got == wanted ->
	      assert(number == next);
	      next = (next + 1) % MAX;
	      wanted = 1 - wanted
	   :: else
	   fi;
	   back!ack(got)
	od
}

active proctype Thief()
{
	do
	:: there?_, _, _
	:: back?_, _
	od
}
