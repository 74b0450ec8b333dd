import { lazyRouteComponent } from '@tanstack/react-router'
import { MissingPart } from '../parts/missing-part.ts'

/**
 * A page whose code is loaded when it is opened. What cannot be loaded is a `MissingPart`: the router itself would load
 * the whole app again at once, also while the server is away, and leave nothing but the browser's own page.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch((error: unknown) => {
        throw new MissingPart(error)
      }),
    name,
  )
