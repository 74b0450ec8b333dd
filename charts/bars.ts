interface Measures {
  /** Width of a bar and of the space after it, and the height of the whole. No unit: the picture is scaled. */
  bar?: number
  space?: number
  height?: number
}

export interface Bars<Level extends string> {
  viewBox: string
  /** One path a level, as vertical strokes. Those of later levels lie on those of the first one. */
  paths: { level: Level; d: string }[]
}

/**
 * A row of bars, first to last, as one SVG path a level. Every place has a bar of the usual level, if that occurs at
 * all, and the bars of other levels lie on it: the same long path in each row of a page costs no bytes once compressed.
 */
export function bars<Level extends string>(
  levels: readonly Level[],
  usual: Level,
  { bar = 3, space = 1, height = 32 }: Measures = {},
): Bars<Level> {
  const step = bar + space
  const places = Map.groupBy(levels.keys(), index => levels[index] as Level)
  if (places.delete(usual)) places.set(usual, [...levels.keys()])
  const ordered = [...places].sort(([a], [b]) => Number(b === usual) - Number(a === usual))
  return {
    viewBox: `0 0 ${Math.max(bar, levels.length * step - space)} ${height}`,
    paths: ordered.map(([level, at]) => ({
      level,
      d: at
        .map((place, n) =>
          n === 0 ? `M${place * step + bar / 2} 0v${height}` : `m${(place - at[n - 1]!) * step}-${height}v${height}`,
        )
        .join(''),
    })),
  }
}

/** Levels of at most `most` bars: neighbours are joined to the worst of them. `order`: from best to worst. */
export function joined<Level extends string>(
  levels: readonly Level[],
  order: readonly Level[],
  most: number,
): { levels: Level[]; each: number } {
  const each = Math.max(1, Math.ceil(levels.length / most))
  if (each === 1) return { levels: [...levels], each }
  const worst: Level[] = []
  // the last bar is as full as the others: the first one may stand for fewer
  for (let end = levels.length; end > 0; end -= each) {
    const part = levels.slice(Math.max(0, end - each), end)
    worst.unshift(part.reduce((a, b) => (order.indexOf(b) > order.indexOf(a) ? b : a)))
  }
  return { levels: worst, each }
}
