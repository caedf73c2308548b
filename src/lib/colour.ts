type Rgb = readonly [number, number, number]

const read = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb
const write = (rgb: readonly number[]) => `#${rgb.map((one) => Math.round(one).toString(16).padStart(2, '0')).join('')}`

/** A mix of two colours; `share` is that of the second. */
function mix(one: string, other: string, share: number) {
  const [from, to] = [read(one), read(other)]
  return write(from.map((value, index) => value + ((to[index] ?? 0) - value) * share))
}

function luminance(hex: string) {
  const [red, green, blue] = read(hex).map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Contrast of two colours by WCAG, 1 to 21. */
export function contrast(one: string, other: string) {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** What text needs (WCAG AA). */
const enough = 4.5
const light = { paper: '#faf7f1', surface: '#ffffff' }
const dark = { paper: '#0e1526', surface: '#18213a' }

/** A main colour for both palettes: itself with its soft ground, and lighter ones at night. */
export function paletteOf(hex: string) {
  const soft = mix(hex, light.surface, 0.9)
  const nightSoft = mix(hex, dark.paper, 0.7)
  let night = hex
  for (let share = 0; share < 1; share += 0.05) {
    night = mix(hex, light.surface, share)
    if ([dark.paper, dark.surface, nightSoft].every((ground) => contrast(night, ground) >= enough)) break
  }
  return { soft, night, nightSoft }
}

/** Whether text of this colour, and white text on it, can be read everywhere by day; `paletteOf` sees to the night. */
export const isReadable = (hex: string) =>
  [light.paper, light.surface, paletteOf(hex).soft].every((ground) => contrast(hex, ground) >= enough)
