import type { Preview } from './queries.ts'

/** An interval of a row of the grid; without a person it is a gap. Milliseconds since 1970. */
export interface Block {
  from: number
  to: number
  person: string | null
  source: 'rotation' | 'override' | null
}

export interface Row {
  id: string
  name: string
  blocks: readonly Block[]
}

const ms = (at: string) => Date.parse(at)

/** Who is on call, with the gaps, in order. */
export const dutiesOf = ({ shifts, gaps }: Preview): Block[] =>
  [
    ...shifts.map(({ user_id, starts_at, ends_at, source }) => ({
      ...{ from: ms(starts_at), to: ms(ends_at) },
      ...{ person: user_id, source },
    })),
    ...gaps.map(({ starts_at, ends_at }) => ({ from: ms(starts_at), to: ms(ends_at), person: null, source: null })),
  ].toSorted((a, b) => a.from - b.from)

/** What each rotation alone says, in the order in which they decide. */
export const layersOf = ({ layers }: Preview): Row[] =>
  layers.map(({ rotation_id, name, shifts }) => ({
    id: rotation_id,
    name,
    blocks: shifts.map(({ user_id, starts_at, ends_at }) => ({
      ...{ from: ms(starts_at), to: ms(ends_at) },
      ...{ person: user_id, source: 'rotation' as const },
    })),
  }))

/** All overrides, by age: the newest lies above the others. */
export const overridesOf = ({ overrides }: Preview): Block[] =>
  overrides.map(({ user_id, starts_at, ends_at }) => ({
    ...{ from: ms(starts_at), to: ms(ends_at) },
    ...{ person: user_id, source: 'override' as const },
  }))

/** Who is on call at a moment. */
export const blockAt = (blocks: readonly Block[], at: number) => blocks.find(({ from, to }) => from <= at && at < to)
