/**
 * A cache of drawn pictures by what they show: a drawing takes a tenth of a second, so that none is made twice, nor two at once.
 * The ones unused for longest are dropped.
 */
export function createDrawnPictures(most: number) {
  const drawn = new Map<string, Promise<Buffer>>()
  let last: Promise<unknown> = Promise.resolve()
  return (shown: string, draw: () => Promise<Buffer>) => {
    let picture = drawn.get(shown)
    if (!picture) {
      picture = last.then(draw)
      last = picture.catch(() => drawn.delete(shown))
    }
    drawn.delete(shown)
    drawn.set(shown, picture)
    if (drawn.size > most) drawn.delete(drawn.keys().next().value ?? '')
    return picture
  }
}
