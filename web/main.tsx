import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './style/tokens.css'
import './style/base.css'
import { queries } from './queries.ts'
import { router } from './router.ts'
import { applyKeptPreferences } from './shell/preferences.ts'
import { browserLanguage, loadWords } from './words.ts'

applyKeptPreferences()
await loadWords(browserLanguage())
createRoot(document.querySelector('#app') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
