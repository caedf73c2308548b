import { line } from '../components/icon.tsx'

// Here and not beside the site's icons, which every page loads.
export const BulletsIcon = line('M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01')
export const NumbersIcon = line('M10 6h10M10 12h10M10 18h10M4 4.5l1.5-.5v4M4 14.5c.3-1 2.4-1 2.2.4C6 16 4 17 4 18.5h2.4')
export const QuoteIcon = line('M4 5v14M9 7h11M9 12h11M9 17h7')
export const LinkIcon = line(
  'M10 14a4 4 0 0 0 5.7 0l3.1-3.1a4 4 0 0 0-5.7-5.7L12 6.3m2 3.7a4 4 0 0 0-5.7 0l-3.1 3.1a4 4 0 0 0 5.7 5.7L12 17.7',
)
export const UndoIcon = line('M8 5 4 9l4 4M4 9h9a6 6 0 0 1 0 12h-2')
export const RedoIcon = line('m16 5 4 4-4 4m4-4h-9a6 6 0 0 0 0 12h2')
