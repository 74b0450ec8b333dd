type Rgb = readonly [number, number, number]

/** Surfaces that colours of a brand are read on: the darkest of the light theme, the lightest of the dark one. */
const grounds = { light: [238, 241, 245], dark: [29, 36, 49] } as const satisfies Record<string, Rgb>
const white: Rgb = [255, 255, 255]
const black: Rgb = [0, 0, 0]
/** WCAG AA for text. */
const enough = 4.5

/** The colour of a brand as accent of both themes: made darker or lighter until text of it can be read. */
export function accentsOf(color: string): Record<'--accent' | '--on-accent' | '--link', string> {
  const rgb = rgbOf(color)
  const [light, dark] = [readable(rgb, grounds.light, black), readable(rgb, grounds.dark, white)]
  const both = (one: Rgb, other: Rgb) => `light-dark(${hex(one)}, ${hex(other)})`
  const accent = both(light, dark)
  return { '--accent': accent, '--link': accent, '--on-accent': both(textOn(light), textOn(dark)) }
}

function readable(color: Rgb, ground: Rgb, towards: Rgb): Rgb {
  for (let part = 0; part < 1; part += 0.05) {
    const mixed = mix(color, towards, part)
    if (contrast(mixed, ground) >= enough) return mixed
  }
  return towards
}

const textOn = (color: Rgb): Rgb => (contrast(white, color) >= contrast(black, color) ? white : black)

function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Relative luminance as WCAG 2 defines it. */
function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map(byte => {
    const part = byte / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const mix = ([r, g, b]: Rgb, [r2, g2, b2]: Rgb, part: number): Rgb => {
  const between = (from: number, to: number) => Math.round(from + (to - from) * part)
  return [between(r, r2), between(g, g2), between(b, b2)]
}

function rgbOf(color: string): Rgb {
  const digits = color.length === 4 ? color.slice(1).replaceAll(/./g, '$&$&') : color.slice(1)
  const byte = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16)
  return [byte(0), byte(2), byte(4)]
}

const hex = (color: Rgb) => `#${color.map(byte => byte.toString(16).padStart(2, '0')).join('')}`
