/** What the file picker offers; the server looks at the content. */
export const photoTypes = ['jpg', 'jpeg', 'png', 'avif'] as const
export const photoMaxBytes = 8 * 1024 * 1024
