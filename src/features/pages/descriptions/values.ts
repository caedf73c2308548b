/** Lengths that search results and previews usually show whole; what is longer is warned of, and never cut. */
export const usualLengths = { title: 60, description: 160 } as const

/** In the address of a page: shows it as it is without what the office wrote for it. */
export const suppliedParameter = 'supplied'

export const sharePictureMaxBytes = 8 * 1024 * 1024
