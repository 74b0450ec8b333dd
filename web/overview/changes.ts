import type { Incident } from './queries.ts'

interface Change {
  key: string
  at: string
  word: 'began' | 'acknowledged' | 'resolved'
  incident: Incident
}

const mostShown = 12

/** What happened to incidents since a moment, the newest first. */
export function changesOf(incidents: readonly Incident[], since: number): Change[] {
  return incidents
    .flatMap(incident => {
      const { id, started_at, acknowledged_at, resolved_at } = incident
      const moments = [
        { word: 'began' as const, at: started_at },
        { word: 'acknowledged' as const, at: acknowledged_at },
        { word: 'resolved' as const, at: resolved_at },
      ]
      return moments.flatMap(({ word, at }) =>
        at !== null && Date.parse(at) >= since ? [{ key: `${id}-${word}`, at, word, incident }] : [],
      )
    })
    .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
    .slice(0, mostShown)
}
