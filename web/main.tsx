import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './style/tokens.css'
import './style/base.css'
import { keepDraft } from './parts/unsaved.ts'
import { forAMoment, queries } from './queries.ts'
import { router } from './router.ts'
import { applyKeptPreferences } from './shell/preferences.ts'
import { appRoute } from './shell/routes.ts'
import { personQuery } from './shell/session.ts'
import { clearBy } from './shell/session-end.ts'
import { browserLanguage, loadWords } from './words.ts'

applyKeptPreferences()
// what the first page is made of is fetched side by side
const words = loadWords(browserLanguage())
if (router.matchRoutes(router.latestLocation).some(({ routeId }) => routeId === appRoute.id))
  void queries.prefetchQuery(personQuery)
const page = forAMoment(router.load())
await words
await page
const root = createRoot(document.querySelector('#app') as HTMLElement)
clearBy(keepsInput => {
  const person = queries.getQueryData(personQuery.queryKey)
  if (keepsInput && person) keepDraft(person.id)
  root.unmount()
  queries.clear()
})
root.render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
