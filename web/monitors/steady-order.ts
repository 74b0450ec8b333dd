import { useState } from 'react'

/**
 * Rows that stay in their places while a person reads, however often they are read again and whatever changes in them;
 * new ones come last. `isMoved`: the server has another order by now, which `showMoved` shows. `list`: where it is
 * another list, its own order is shown.
 */
export function useSteadyOrder<Row extends { id: string }>(read: readonly Row[], list: string) {
  const ids = read.map(({ id }) => id)
  const [kept, keep] = useState({ list, ids })
  const isSame = kept.list === list
  if (!isSame) keep({ list, ids })
  const places = new Map((isSame ? kept.ids : ids).map((id, place) => [id, place]))
  const placeOf = ({ id }: Row) => places.get(id) ?? places.size
  const rows = read.toSorted((a, b) => placeOf(a) - placeOf(b))
  return {
    rows,
    isMoved: rows.some(({ id }, place) => id !== ids[place]),
    showMoved: () => keep({ list, ids }),
  }
}
