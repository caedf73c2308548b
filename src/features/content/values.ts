/** Types offered by the file picker; the server checks the content. */
export const photoTypes = ['jpg', 'jpeg', 'png', 'avif'] as const
export const photoMaxBytes = 8 * 1024 * 1024
