import type { Key } from './spool-record.ts'

/** What a backlog needs to know of the file in which its records are. */
export interface BacklogSegment {
  readonly number: number
  /** Records in a backlog. */
  waiting: number
}

/** Records of a segment that still have to be read and sent: all of one key between two offsets. */
export interface Piece<Segment extends BacklogSegment = BacklogSegment> {
  segment: Segment
  from: number
  to: number
  records: number
  /** The due time of the oldest of them, or of one before it. */
  since: number
}

/** Where a record is, and where the one before it with the same key ends in its segment; -1 for the first. */
interface Place {
  key: Key
  at: number
  bytes: number
  follows: number
  due: number
}

/** Records on disk that wait to be sent, by key: of each the oldest first. */
export class Backlog<Segment extends BacklogSegment> {
  /** Without an empty list. */
  readonly #pieces = new Map<Key, Piece<Segment>[]>()

  get isEmpty(): boolean {
    return this.#pieces.size === 0
  }

  /** The due time of the oldest record. */
  get since(): number | undefined {
    let since: number | undefined
    for (const pieces of this.#pieces.values())
      for (const piece of pieces) if (since === undefined || piece.since < since) since = piece.since
    return since
  }

  has(isOwn: (key: Key) => boolean): boolean {
    for (const key of this.#pieces.keys()) if (isOwn(key)) return true
    return false
  }

  /** Adds a record: to the piece before it if that ends where the record of the same key before ends. */
  add({ key, at, bytes, follows, due }: Place, segment: Segment): void {
    segment.waiting++
    const pieces = this.#pieces.get(key) ?? []
    const isBefore = (piece: Piece<Segment>) =>
      piece.segment.number < segment.number || (piece.segment === segment && piece.from <= at)
    const index = pieces.findLastIndex(isBefore)
    const before = pieces[index]
    if (before && before.segment === segment && before.to === follows) {
      before.to = at + bytes
      before.records++
      before.since = Math.min(before.since, due)
    } else pieces.splice(index + 1, 0, { segment, from: at, to: at + bytes, records: 1, since: due })
    this.#pieces.set(key, pieces)
  }

  /** The oldest segment with records of these keys, and where the last of them ends. */
  oldest(isOwn: (key: Key) => boolean): { segment: Segment; to: number } | undefined {
    let segment: Segment | undefined
    for (const [key, [first]] of this.#pieces)
      if (first && (!segment || first.segment.number < segment.number) && isOwn(key)) segment = first.segment
    return segment && { segment, to: Math.max(...[...this.of(segment, isOwn).values()].flat().map(({ to }) => to)) }
  }

  /** The pieces of a segment, of keys that have none in an older one. */
  of(segment: Segment, isOwn: (key: Key) => boolean): Map<Key, Piece<Segment>[]> {
    const found = new Map<Key, Piece<Segment>[]>()
    for (const [key, pieces] of this.#pieces)
      if (pieces[0]?.segment === segment && isOwn(key))
        found.set(
          key,
          pieces.filter(piece => piece.segment === segment),
        )
    return found
  }

  /** All pieces of a segment. */
  piecesIn(segment: Segment): Piece<Segment>[] {
    return [...this.#pieces.values()].flat().filter(piece => piece.segment === segment)
  }

  /** Removes the pieces that were read to their end. */
  prune(): void {
    this.#keep(({ from, to }) => from < to)
  }

  removeSegment(segment: Segment): void {
    this.#keep(piece => piece.segment !== segment)
  }

  #keep(isKept: (piece: Piece<Segment>) => boolean): void {
    for (const [key, pieces] of [...this.#pieces]) {
      if (pieces.every(isKept)) continue
      const kept = pieces.filter(isKept)
      if (kept.length > 0) this.#pieces.set(key, kept)
      else this.#pieces.delete(key)
    }
  }
}
