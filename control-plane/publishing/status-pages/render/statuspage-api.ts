import type { ComponentStatus } from '#control-plane/db/model/status-page-values.ts'
import { overallSentence } from '#control-plane/publishing/status-pages/rollup.ts'
import {
  type PageComponent,
  type PageGroup,
  type PageMaintenance,
  type PageModel,
  type PagePost,
  unknownIn,
} from './model.ts'

/** The documents of Statuspage's API, version 2, which widgets and aggregators read. */
export const jsonDocuments = ['summary', 'status', 'components', 'incidents', 'scheduled-maintenances'] as const
export type JsonDocument = (typeof jsonDocuments)[number]

const mostIncidents = 50

const indicators: Record<ComponentStatus, string> = {
  operational: 'none',
  no_data: 'none',
  degraded_performance: 'minor',
  partial_outage: 'major',
  major_outage: 'critical',
  maintenance: 'maintenance',
}

/** Their form has no status for what was not measured yet; `no_data` of ours says so. */
const statusOf = (status: ComponentStatus) =>
  ({ ...unchanged, maintenance: 'under_maintenance', no_data: 'operational' })[status]
const unchanged = {
  operational: 'operational',
  degraded_performance: 'degraded_performance',
  partial_outage: 'partial_outage',
  major_outage: 'major_outage',
}

const time = (ms: number) => new Date(ms).toISOString()

export function jsonOf(model: PageModel, document: JsonDocument): unknown {
  const page = {
    id: model.id,
    name: model.name,
    url: model.url,
    time_zone: model.timezone,
    updated_at: time(model.asOf),
  }
  const status = {
    indicator: indicators[model.status],
    description: overallSentence(model.status, model.locale, unknownIn(model)),
  }
  const isOpen = ({ phase }: PagePost) => phase !== 'resolved'
  const incidents = (posts: readonly PagePost[]) => posts.map(post => incidentOf(post, model))
  const windows = () =>
    model.maintenance.map(window => maintenanceOf(window, window.isRunning ? 'in_progress' : 'scheduled', model))
  const completed = () => (model.pastMaintenance ?? []).map(window => maintenanceOf(window, 'completed', model))
  switch (document) {
    case 'status':
      return { page, status }
    case 'components':
      return { page, components: componentsOf(model) }
    case 'incidents':
      return { page, incidents: incidents(model.posts.slice(0, mostIncidents)) }
    case 'scheduled-maintenances':
      return { page, scheduled_maintenances: [...windows(), ...completed()] }
    case 'summary':
      return {
        page,
        components: componentsOf(model),
        incidents: incidents(model.posts.filter(isOpen)),
        scheduled_maintenances: windows(),
        status,
      }
  }
}

function componentsOf(model: PageModel) {
  let position = 0
  return model.groups.flatMap(group => [
    ...(group.id === null ? [] : [groupOf(group, model, ++position)]),
    ...group.components.map(component => componentOf(component, group, model, ++position)),
  ])
}

const groupOf = (group: PageGroup, model: PageModel, position: number) => ({
  ...blank(model),
  id: group.id,
  name: group.name,
  status: statusOf(group.status),
  no_data: group.status === 'no_data',
  position,
  description: null,
  group_id: null,
  group: true,
  components: group.components.map(({ id }) => id),
})

const componentOf = (component: PageComponent, group: PageGroup, model: PageModel, position: number) => ({
  ...blank(model),
  id: component.id,
  name: component.name,
  status: statusOf(component.status),
  no_data: component.status === 'no_data',
  created_at: time(component.createdAt),
  updated_at: time(component.updatedAt),
  position,
  description: component.description || null,
  group_id: group.id,
  group: false,
})

const blank = (model: PageModel) => ({
  created_at: time(model.changedAt),
  updated_at: time(model.changedAt),
  showcase: false,
  start_date: null,
  page_id: model.id,
  only_show_if_degraded: false,
})

const incidentOf = (post: PagePost, model: PageModel) => ({
  id: post.id,
  name: post.title,
  status: post.postmortem === null ? post.phase : 'postmortem',
  created_at: time(post.createdAt),
  updated_at: time(post.updatedAt),
  monitoring_at: timeOrNull(
    post.updates.findLast(({ phase }) => phase === 'monitoring')?.at ??
      (post.phase === 'monitoring' ? post.updatedAt : null),
  ),
  resolved_at: timeOrNull(post.resolvedAt),
  impact: post.impact,
  shortlink: `${model.url}/incidents/${post.id}`,
  started_at: time(post.startedAt),
  page_id: model.id,
  incident_updates: post.updates.map(update => ({
    id: update.id,
    status: update.phase,
    body: update.body,
    incident_id: post.id,
    created_at: time(update.at),
    updated_at: time(update.at),
    display_at: time(update.at),
    affected_components: post.components.map(({ id, name, status }) => ({
      code: id,
      name,
      old_status: 'operational',
      new_status: statusOf(status),
    })),
  })),
  components: componentsNamed(
    model,
    post.components.map(({ id }) => id),
  ),
  ...(post.postmortem !== null && {
    postmortem_body: post.postmortem,
    postmortem_published_at: timeOrNull(post.postmortemAt),
  }),
})

const maintenanceOf = (
  window: PageMaintenance,
  status: 'scheduled' | 'in_progress' | 'completed',
  model: PageModel,
) => ({
  id: window.id,
  name: window.title,
  status,
  created_at: time(window.updatedAt),
  updated_at: time(window.updatedAt),
  monitoring_at: null,
  resolved_at: status === 'completed' ? time(window.endsAt) : null,
  impact: 'maintenance',
  shortlink: model.url,
  started_at: time(window.startsAt),
  page_id: model.id,
  incident_updates: [],
  components: componentsNamed(
    model,
    window.components.map(({ id }) => id),
  ),
  scheduled_for: time(window.startsAt),
  scheduled_until: time(window.endsAt),
})

const timeOrNull = (ms: number | null | undefined) => (ms === null || ms === undefined ? null : time(ms))

const componentsNamed = (model: PageModel, ids: readonly string[]) =>
  componentsOf(model).filter(component => !component.group && ids.includes(component.id ?? ''))
