import type { IncomingMessage } from 'node:http'
import Router from '@koa/router'
import type { Context } from 'koa'
import { type AliasKind, aliasKey, aliasOf } from '#contract/ping-alias.ts'
import { notFound, Refusal, tooLarge } from '#control-plane/base/refusal.ts'
import { writeRefusal } from '#control-plane/http/answer.ts'
import { guard, neverKept } from '#control-plane/http/headers.ts'
import { rateHeaders, rateLimits, tooMany } from '#control-plane/http/rate.ts'
import { isLastOf, loggedRefusalOf } from '#control-plane/http/refuse.ts'
import type { Services } from '#control-plane/http/services.ts'
import { acceptPing, mayBeLarge, refuseStranger, refuseUnknown } from '#control-plane/passive/heartbeats/accept.ts'
import { intakeOf } from '#control-plane/passive/heartbeats/intake.ts'
import { maxOutputBytes, type Report } from '#control-plane/passive/heartbeats/report.ts'
import { betterStackReport, healthchecksReport, type SentPing, uptimeKumaReport } from './report.ts'
import { aliasLookupOf } from './store.ts'

const uuid = '([\\da-fA-F]{8}-[\\da-fA-F]{4}-[\\da-fA-F]{4}-[\\da-fA-F]{4}-[\\da-fA-F]{12})'
const token = '([\\w-]{1,64})'
const action = '(?:/(\\w{1,10}))?/?'

interface Answers {
  /** As the provider answers: jobs may depend on it. */
  accepted: { type: string; body: string }
  refused(message: string): { type: string; body: string }
}

interface Served extends Answers {
  path: RegExp
  /** What requests are logged and counted as: never the path, which holds a secret. */
  route: string
  report(sent: SentPing): Report | null
}

const plain = (body: string) => ({ type: 'text/plain; charset=utf-8', body })
const json = (body: unknown) => ({ type: 'application/json; charset=utf-8', body: JSON.stringify(body) })

const served: Record<AliasKind, Served> = {
  healthchecks: {
    // the hosted service has its addresses at the root of a host of their own
    path: new RegExp(`^/(?:ping/)?${uuid}${action}$`),
    route: '/ping/{uuid}',
    report: healthchecksReport,
    accepted: plain('OK'),
    refused: plain,
  },
  // after the one above, which its paths would match as well
  'healthchecks-slug': {
    path: new RegExp(`^/ping/([\\w-]{1,128}/[\\w-]{1,100})${action}$`),
    route: '/ping/{key}/{slug}',
    report: healthchecksReport,
    accepted: plain('OK'),
    refused: plain,
  },
  'uptime-kuma': {
    path: new RegExp(`^/api/push/${token}/?$`, 'i'),
    route: '/api/push/{token}',
    report: uptimeKumaReport,
    accepted: json({ ok: true }),
    refused: msg => json({ ok: false, msg }),
  },
  'better-stack': {
    path: new RegExp(`^/api/v1/heartbeat/${token}${action}$`),
    route: '/api/v1/heartbeat/{token}',
    report: betterStackReport,
    accepted: plain('OK'),
    refused: plain,
  },
}

/** A body is read to its end, however little of it is stored: these providers refuse no log for its size. */
const mostBodyBytes = 16_777_216

/**
 * The addresses that jobs had at another provider: where its host name leads to us, a ping counts for the heartbeat
 * that was imported. They are answered as the provider does.
 */
export function aliasRoutes(services: Services): Router {
  const router = new Router()
  for (const [kind, of] of Object.entries(served) as [AliasKind, Served][]) {
    const answer = (context: Context) => serve(services, kind, of, context)
    // and HEAD with GET: all of them are pings at these providers
    router.get(of.path, answer)
    for (const method of ['post', 'put', 'patch'] as const) router[method](of.path, answer)
  }
  return router
}

/** Refusals have the form of the provider; an error of ours is logged as any. */
async function serve(services: Services, kind: AliasKind, of: Served, context: Context): Promise<void> {
  context.state.route = of.route
  try {
    await take(services, kind, of, context)
  } catch (error) {
    refuse(services, of, context, loggedRefusalOf(error, services, context.state.requestId))
    return
  }
  guard(context)
  context.set({ 'Cache-Control': neverKept, 'Access-Control-Allow-Origin': '*' })
  if (kind.startsWith('healthchecks')) context.set('Ping-Body-Limit', String(maxOutputBytes))
  context.status = 200
  context.type = of.accepted.type
  context.body = of.accepted.body
}

async function take(services: Services, kind: AliasKind, of: Served, context: Context): Promise<void> {
  const [, secret, action] = of.path.exec(context.path) ?? []
  const alias = aliasOf(kind, secret)
  const { ip } = context.state as { ip: string }
  const address = alias ? aliasKey(alias) : `${kind} none`
  const sender = { address, ip, services }
  if (alias) {
    const counted = await services.rate.count(`ping:id:${address}`, rateLimits.ping, services.clock.nowMs())
    context.set(rateHeaders(counted))
    if (counted.isRefused) {
      services.metrics.rateRefusals.inc({ class: 'ping' })
      throw tooMany(counted)
    }
  }
  refuseStranger(sender)
  const find = () => (alias ? aliasLookupOf(services).find(alias) : null)
  if (!isRead(context) && mayBeLarge(context.req) && !(await find())) await refuseUnknown(sender)
  const report = of.report({
    action,
    query: new URLSearchParams(context.querystring),
    body: isRead(context) ? Buffer.alloc(0) : await readBeginning(context.req),
  })
  if (report === null) throw notFound('Address')
  const { state } = await acceptPing(sender, async () => {
    const found = await find()
    const method = isRead(context) ? 'GET' : 'POST'
    return found ? intakeOf(services).take({ ...report, address: found, method, ip }) : null
  })
  services.metrics.pings.inc({ state })
}

const isRead = ({ method }: Context) => method === 'GET' || method === 'HEAD'

function refuse(services: Services, of: Served, context: Context, refusal: Refusal): void {
  const { status, headers, message } = refusal
  guard(context)
  context.set({ 'Cache-Control': neverKept, 'Access-Control-Allow-Origin': '*', ...headers })
  context.status = status
  context.respond = false
  const { type, body } = of.refused(status === 404 ? 'not found' : message)
  writeRefusal(
    context.req,
    context.res,
    { status, headers: ['Content-Type', type], body },
    { isLast: isLastOf(refusal, context.req, services) },
  )
}

/** The beginning of a body, as much as is stored of it; 413 where it is larger than any log. */
function readBeginning(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let [kept, size] = [0, 0]
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (kept < maxOutputBytes) {
        chunks.push(chunk)
        kept += chunk.length
      }
      if (size <= mostBodyBytes) return
      request.off('data', take).pause()
      reject(tooLarge())
    }
    request.on('data', take)
    request.once('end', () => resolve(Buffer.concat(chunks)))
    for (const end of ['error', 'close'])
      request.once(end, () => reject(new Refusal(400, 'aborted', 'The request ended early.')))
  })
}
