import { line } from '#src/ui/icon.tsx'

// Here and not beside the site's icons, which every page loads.
export const SoundIcon = line('M5 9.5v5h3.5L13 18V6L8.5 9.5zM16.5 9a4.5 4.5 0 0 1 0 6m2.5-8.5a8 8 0 0 1 0 11')
export const MutedIcon = line('M5 9.5v5h3.5L13 18V6L8.5 9.5zM17 9.5l4.5 5m0-5-4.5 5')
export const ClipIcon = line(
  'm19.5 11.5-7.6 7.6a4.6 4.6 0 0 1-6.5-6.5l8-8a3.1 3.1 0 0 1 4.4 4.4l-8 8a1.5 1.5 0 0 1-2.2-2.2l7.3-7.3',
)
