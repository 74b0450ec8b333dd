/** The three parts of a colour such as `#1f6feb` or `#06c`, from 0 to 1. */
function partsOf(color: string): number[] {
  const digits = color.slice(1)
  const whole = digits.length === 3 ? [...digits].map(digit => digit + digit).join('') : digits
  return [0, 2, 4].map(at => Number.parseInt(whole.slice(at, at + 2), 16) / 255)
}

/** Relative luminance as WCAG 2 defines it. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = partsOf(color).map(part =>
    part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** From 1, for the same colour, to 21; WCAG AA asks for 4.5 of text. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Black or white, whichever has more contrast to a colour. One of them always reaches AA; a softer black may not. */
export const onColor = (color: string): string =>
  contrastOf(color, '#ffffff') >= contrastOf(color, '#000000') ? '#ffffff' : '#000000'

/** The colour if it is readable as a text, else the other one. */
export const asText = (color: string, background: string, fallback: string): string =>
  contrastOf(color, background) >= 4.5 ? color : fallback
