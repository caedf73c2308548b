/** Types offered by the file picker; the server checks the content. */
export const photoTypes = ['jpg', 'jpeg', 'png', 'avif'] as const
export const photoMaxBytes = 8 * 1024 * 1024
/** The browser reduces a larger photo before it is sent. */
export const photoFileMaxBytes = 60 * 1024 * 1024

/** What the command palette finds on the server, in the order of the list; pages come after what one can do. */
export const paletteGroups = ['act', 'people', 'work', 'networks', 'texts'] as const
export const longestPaletteSearch = 200
