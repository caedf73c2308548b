/** Widths in pixels of the copies made of each uploaded photo, and their formats, best first. */
export const photoWidths = [96, 320, 640] as const
export const photoFormats = ['avif', 'jpeg'] as const
export type PhotoFormat = (typeof photoFormats)[number]

export const photoPath = (key: string, width: number, format: PhotoFormat) => `/media/${key}-${width}.${format}`

/** The key inside the address of any copy of a photo; null for another address. */
export function photoKey(address: string | null | undefined) {
  return /^\/media\/([\da-f]{32})-\d+\.(?:avif|jpeg)$/.exec(address ?? '')?.[1] ?? null
}

/** Height in pixels at which a logo is stored: enough for the densest screens. */
export const logoHeight = 96
export const longestLogo = 640
/** Address of a stored logo, which ends with its width. */
export const logoAddress = /^\/media\/[\da-f]{32}-(\d{2,3})\.png$/

/** True for the address of a picture of a text, as `storePicture` gives it. */
export const isArticlePicture = (address: string) => /^\/media\/[\da-f]{32}-\d{2,4}\.jpeg$/.test(address)
