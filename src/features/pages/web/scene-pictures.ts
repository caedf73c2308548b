type Addresses = Record<string, string>

const illustrations = import.meta.glob('/src/ui/illustrations/*.svg', {
  eager: true,
  query: '?url',
  import: 'default',
}) as Addresses
const photos = import.meta.glob('/company/photos/*.{avif,webp,jpg,jpeg,png,svg}', {
  eager: true,
  query: '?url',
  import: 'default',
}) as Addresses

/** The address of a scene's picture: the company's own photo, or the illustration of that name. */
export function pictureAddress(picture: string) {
  return photos[`/company/photos/${picture}`] ?? illustrations[`/src/ui/illustrations/${picture}`] ?? ''
}
