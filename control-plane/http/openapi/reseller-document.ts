import { z } from 'zod'
import { type Endpoint, endpoint } from '#control-plane/http/endpoint.ts'
import { bare } from '#control-plane/http/reply.ts'
import { describe } from './document.ts'

const Document = z.record(z.string(), z.unknown()).meta({ id: 'ApiDocument', description: 'An OpenAPI 3.1 document.' })
type Described = z.output<typeof Document>

/** `endpoints` are those of this process, among them this one: so they are asked for when it is called. */
export function resellerDocument(endpoints: () => readonly Endpoint[]) {
  let described: Described | undefined
  return endpoint({
    method: 'GET',
    path: '/reseller/openapi',
    operation: 'reseller.openapi.get',
    tag: 'portal',
    summary: 'Get the description of the endpoints for resellers',
    description: 'As OpenAPI, made from the running API. The reference at `/api/docs/reseller` shows it.',
    access: { reseller: 'any' },
    returns: bare(Document),

    handle({ services }) {
      described ??= { ...describe(endpoints(), services.config.baseUrl, 'reseller') }
      return described
    },
  })
}
