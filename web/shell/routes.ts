import { createRootRoute, createRoute } from '@tanstack/react-router'
import { Layout } from './layout.tsx'
import { NotFound } from './not-found.tsx'

export const rootRoute = createRootRoute({ notFoundComponent: NotFound })

/** What a signed-in person sees: navigation, and below it the area. */
export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  component: Layout,
})
