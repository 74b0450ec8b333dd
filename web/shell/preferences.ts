import { useEffect } from 'react'
import { api, bodyOf, type Schemas } from '../api.ts'
import { queries } from '../queries.ts'
import { browserLanguage } from '../words.ts'
import { actingIn } from './acting.ts'
import { personQuery, usePerson } from './session.ts'

type Preferences = Schemas['Preferences']

/** What this browser applies before the profile is read. */
type KeptPreferences = Pick<Preferences, 'theme' | 'density'>

const key = 'preferences'

/** Applies what this browser was last told, before anything is shown. */
export function applyKeptPreferences(): void {
  const text = localStorage.getItem(key)
  if (text !== null) show(JSON.parse(text) as KeptPreferences)
}

function show({ theme, density }: KeptPreferences): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
  dataset.density = density
}

/** Shows the app as the person wants it; a first visit takes over the language and time zone of the browser. */
export function usePreferences(): void {
  const { preferences, choseLocale, language, timezone } = usePerson()
  const { theme, density } = preferences
  useEffect(() => {
    show({ theme, density })
    localStorage.setItem(key, JSON.stringify({ theme, density }))
  }, [theme, density])
  useEffect(() => {
    if (choseLocale || actingIn() !== null) return
    const found = {
      ...(language === 'en' && browserLanguage() !== 'en' && { language: browserLanguage() }),
      ...(timezone === 'UTC' && browserZone() !== 'UTC' && { timezone: browserZone() }),
    }
    if (Object.keys(found).length === 0) return
    bodyOf(api.PATCH('/api/v1/profile', { body: found })).then(
      () => queries.invalidateQueries({ predicate: ({ queryKey: [area] }) => area === 'profile' || area === 'person' }),
      // without it times are in UTC, which the profile says
      () => undefined,
    )
  }, [choseLocale, language, timezone])
}

const browserZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

/** Keeps a preference, and shows it at once. */
export async function changePreferences(changes: Partial<Preferences>): Promise<void> {
  const saved = await bodyOf(api.PATCH('/api/v1/profile', { body: { preferences: changes } }))
  queries.setQueryData(personQuery.queryKey, person => person && { ...person, preferences: saved.data.preferences })
  queries.setQueryData(['profile'], saved)
}
