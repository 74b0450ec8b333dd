import { randomUUID } from 'node:crypto'
import { type Impact, type Phase, phases } from '#contract/status-page.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { mayWrite } from '#control-plane/publishing/status-pages/access.ts'
import { emitPost } from '#control-plane/publishing/status-pages/events.ts'
import { insertPosts } from '#control-plane/publishing/status-pages/insert.ts'
import { lockPage } from '#control-plane/publishing/status-pages/row.ts'
import { touchPage } from '#control-plane/publishing/status-pages/touch.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { addUpdate } from './add-update.ts'
import { concernedBy, writeConcerned } from './components.ts'
import { NewPost, validateSpan } from './input.ts'
import { findPost } from './row.ts'
import { PostView } from './view.ts'

export const createPost = endpoint({
  method: 'POST',
  path: '/status-pages/{status_page}/posts',
  summary: 'Publish an incident on a status page, with its first update',
  description:
    'Of an incident of the team, or of something that no monitor found. It begins in the phase of the incident, ' +
    'with its end when that is over. Once the incident ends, the post is in the phase `monitoring`, the components ' +
    'that show its monitor have the state of their monitors again, and its author is mailed, or the administrators; ' +
    'the rest is for a person to write. ' +
    'An incident is published once on a page.',
  access: mayWrite,
  body: NewPost,
  returns: created({ data: PostView }),

  async handle(context) {
    const { em, tenant, params, body, now, caller, services, audit } = context
    const page = await lockPage(em, tenant, params.status_page)
    const incident = await findPublished(context, page, body.incident_id)
    const isOver = incident?.resolved_at != null
    const phase = body.phase ?? phaseOf(incident)
    if (body.resolved_at && phase !== 'resolved')
      throw invalid({ resolved_at: ['Only an incident in the phase resolved has an end.'] })
    const latest = latestOf(incident, now)
    const span = {
      started_at: body.started_at ?? (incident ? new Date(incident.started_at) : now),
      resolved_at: phase === 'resolved' ? (body.resolved_at ?? endOf(incident, latest)) : null,
    }
    validateSpan(span, latest)
    const id = randomUUID()
    await insertPosts(context, page, [
      {
        id,
        incident_id: incident?.id ?? null,
        title: body.title,
        impact: body.impact ?? impactOf(incident),
        phase,
        counts_as_downtime: body.counts_as_downtime ?? incident !== null,
        started_at: span.started_at.toISOString(),
        resolved_at: span.resolved_at?.toISOString() ?? null,
        incident_over_at: isOver ? now.toISOString() : null,
        created_by: caller.user?.id ?? null,
      },
    ])
    const concerned = body.components ?? (incident ? await concernedBy(em, tenant, page, incident.monitor_id) : [])
    const isFollowing = isOver && body.components === undefined
    await writeConcerned(em, tenant, { page, post: { id } }, concerned, { follow: isFollowing })
    await addUpdate(context, page, { id }, { ...body, phase })
    await touchPage(em, page.id)
    audit(
      'status_page.incident_posted',
      { type: 'status_page', id: page.id },
      { post_id: id, incident_id: incident?.id ?? null, title: body.title, phase },
    )
    if (incident)
      audit('incident.published', { type: 'incident', id: incident.id }, { status_page_id: page.id, post_id: id })
    const post = await findPost(em, tenant, page, id)
    emitPost(context, 'status_page.incident_posted', {
      page,
      post,
      body: body.body,
      origin: await keptOriginOf(services, tenant.id),
    })
    return { data: post }
  },
})

/** The incident of the team that is to be published. It was not on this page, which is locked. */
async function findPublished(
  { em, tenant }: Pick<RequestContext, 'em' | 'tenant'>,
  page: { id: string },
  incidentId: string | null,
) {
  if (incidentId === null) return null
  const db = queries(em)
  const incident = await db
    .selectFrom('incidents')
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', incidentId)
    .select(['id', 'monitor_id', 'severity', 'status', 'started_at', 'resolved_at'])
    .executeTakeFirst()
  if (!incident) throw invalid({ incident_id: ['Incident not found.'] })
  const posts = db.selectFrom('status_page_posts').where('page_id', '=', page.id)
  if (await posts.where('incident_id', '=', incidentId).select('id').executeTakeFirst())
    throw invalid({ incident_id: ['This incident is published on this page already.'] }, 'already_published')
  return incident
}

/** An incident that was just found may be some milliseconds ahead of the clock of this process. */
const latestOf = (incident: { started_at: string; resolved_at: string | null } | null, now: Date): Date =>
  incident ? new Date(Math.max(now.getTime(), Date.parse(incident.resolved_at ?? incident.started_at))) : now

const endOf = (incident: { resolved_at: string | null } | null, now: Date): Date =>
  incident?.resolved_at ? new Date(incident.resolved_at) : now

/** One that is over begins resolved, with its end. */
function phaseOf(incident: { status: string; resolved_at: string | null } | null): Phase {
  if (incident?.resolved_at) return 'resolved'
  return phases.find(phase => phase === incident?.status && phase !== 'resolved') ?? 'investigating'
}

function impactOf(incident: { severity: string } | null): Impact {
  if (incident?.severity === 'critical' || incident?.severity === 'major') return incident.severity
  return 'minor'
}
