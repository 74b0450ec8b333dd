import type { IncomingMessage } from 'node:http'
import type { Span } from '#control-plane/base/tracing.ts'
import type { Services } from './services.ts'

/** What a span says of an answered request. */
interface Answered {
  requestId: string
  /** The pattern, never the path. */
  route: string
  status: number
  teamId?: string | undefined
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const methodOf = ({ method = '' }: IncomingMessage) => (methods.has(method) ? method : '_OTHER')

/** Begins the span of a request, where it is sampled: a part of its caller's trace, if that names a valid one. */
export function beginRequestSpan({ tracing }: Pick<Services, 'tracing'>, request: IncomingMessage): Span | undefined {
  return tracing.begin({ name: methodOf(request), kind: 'server', header: request.headers.traceparent })
}

/** Says what the request was. Only failures of ours are failures of the span. */
export function describeRequest(
  span: Span,
  request: IncomingMessage,
  { requestId, route, status, teamId }: Answered,
): void {
  const method = methodOf(request)
  span.rename(`${method} ${route}`)
  span.set({
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    'vedette.request.id': requestId,
    ...(teamId && { 'vedette.team.id': teamId }),
  })
  if (status >= 500) span.fail(String(status))
}
