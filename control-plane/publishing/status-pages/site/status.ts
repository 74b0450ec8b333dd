import type { Impact } from '#contract/status-page.ts'
import type { ComponentStatus } from '#control-plane/db/model/status-page-values.ts'
import type { State } from '#control-plane/engine/state/rules.ts'
import type { PagePost } from '#control-plane/publishing/status-pages/render/model.ts'
import { rollUp, statusOfMonitor, worstOf } from '#control-plane/publishing/status-pages/rollup.ts'
import type { StoredComponent } from './read-components.ts'

const statusOfImpact: Record<Impact, ComponentStatus> = {
  none: 'operational',
  minor: 'degraded_performance',
  major: 'partial_outage',
  critical: 'major_outage',
}

/** What of an incident decides about a status. */
export type StatedPost = Pick<PagePost, 'phase' | 'impact'> & {
  /** `follows`: the incident of the post is over, and the monitors say again how the component is. */
  components: readonly { id: string; status: ComponentStatus; follows: boolean }[]
  isIncidentOver: boolean
}
type StatedComponent = Pick<StoredComponent, 'id' | 'type' | 'static_status' | 'status_when_down'> & {
  monitors: readonly { state: State }[]
}

/** That of its monitors, or what an open incident says of it, whichever is worse. */
export function statusOfComponent(component: StatedComponent, posts: readonly StatedPost[]): ComponentStatus {
  const said = posts.flatMap(({ phase, components }) =>
    phase === 'resolved' ? [] : (components.find(({ id, follows }) => id === component.id && !follows)?.status ?? []),
  )
  return worstOf([ownStatus(component), ...said])
}

function ownStatus({ type, static_status, status_when_down, monitors }: StatedComponent): ComponentStatus {
  if (type === 'static') return static_status ?? 'no_data'
  const all = monitors.map(({ state }) => statusOfMonitor(state, status_when_down))
  return type === 'monitor' ? (all[0] ?? 'no_data') : rollUp(all)
}

/**
 * That of its components, or of an open incident that names none, whichever is worse. One that is monitored because its
 * incident is over weighs nothing.
 */
export const statusOfPage = (components: readonly ComponentStatus[], posts: readonly StatedPost[]): ComponentStatus =>
  worstOf([
    rollUp(components),
    ...posts
      .filter(({ phase, components: named }) => phase !== 'resolved' && named.length === 0)
      .filter(({ phase, isIncidentOver }) => !isIncidentOver || phase !== 'monitoring')
      .map(({ impact }) => statusOfImpact[impact]),
  ])
