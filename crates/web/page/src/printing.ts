// Whether the page is being printed: then everything is there, not only what is seen.
import { useEffect, useState } from 'preact/hooks';

export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    if (typeof matchMedia !== 'function') return;
    const paper = matchMedia('print');
    const look = () => setPrinting(paper.matches);
    look();
    paper.addEventListener('change', look);
    return () => paper.removeEventListener('change', look);
  }, []);
  return printing;
}
