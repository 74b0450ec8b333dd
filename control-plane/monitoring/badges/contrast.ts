export const white = 'ffffff'
const black = '000000'

/** WCAG 2.2, success criterion 1.4.3: what text of this size needs. */
const enough = 4.5

/** How much lighter or darker the gradient over a colour may make it. */
const shine = 0.1

const channelsOf = (hex: string) => [0, 2, 4].map(at => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
const linear = (channel: number) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)

function relativeLuminance(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map(linear)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Relative luminance by WCAG, of six hex digits. */
export const luminanceOf = (hex: string): number => relativeLuminance(channelsOf(hex))

/** The least contrast of this text on any of these colours, with the shine over them. */
function leastContrast(text: string, backgrounds: readonly string[]): number {
  const ink = luminanceOf(text)
  const ratios = backgrounds.flatMap(background =>
    [0, 1].map(over => {
      const lit = relativeLuminance(channelsOf(background).map(channel => channel + (over - channel) * shine))
      return (Math.max(ink, lit) + 0.05) / (Math.min(ink, lit) + 0.05)
    }),
  )
  return Math.min(...ratios)
}

/** The text colour if it has enough contrast on all of these backgrounds, else white or black, whichever has more. */
export function readable(text: string, backgrounds: readonly string[]): string {
  if (leastContrast(text, backgrounds) >= enough) return text
  return leastContrast(white, backgrounds) >= leastContrast(black, backgrounds) ? white : black
}
