const icon = (path: string) => (
  <svg
    viewBox="0 0 24 24"
    width="20"
    height="20"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={path} />
  </svg>
)

// Beside those of the design system, which come with every page.
export const soundIcon = icon('M5 9.5v5h3.5L13 18V6L8.5 9.5zM16.5 9a4.5 4.5 0 0 1 0 6m2.5-8.5a8 8 0 0 1 0 11')
export const mutedIcon = icon('M5 9.5v5h3.5L13 18V6L8.5 9.5zM17 9.5l4.5 5m0-5-4.5 5')
export const clipIcon = icon(
  'm19.5 11.5-7.6 7.6a4.6 4.6 0 0 1-6.5-6.5l8-8a3.1 3.1 0 0 1 4.4 4.4l-8 8a1.5 1.5 0 0 1-2.2-2.2l7.3-7.3',
)
