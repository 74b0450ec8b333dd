import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../shell/lazy-page.ts'
import { appRoute } from '../shell/routes.ts'
import { loadAreaWords } from '../words.ts'

export const steps = ['watch', 'notify', 'done'] as const
export type Step = (typeof steps)[number]

/** What the steps have made so far, in the address: a reload loses nothing. */
export interface WelcomeSearch {
  step?: Step
  monitor?: string
}

export const welcomeRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/app/welcome',
    validateSearch: ({ step, monitor }): WelcomeSearch => {
      const known = steps.find(each => each === step)
      return { ...(known && { step: known }), ...(typeof monitor === 'string' && { monitor }) }
    },
    loader: () => loadAreaWords('welcome'),
    component: lazyPage(() => import('./welcome.tsx'), 'Welcome'),
  }),
] as const
