import type { Outgoing } from '#control-plane/alerting/channels/kinds/kind.ts'
import type { Values } from './value-names.ts'
import { type RequestTemplate, writeRequest } from './write.ts'

/** Fills the templates of a channel for one message. A program: customers write them. */
export const run = ({ request, values }: { request: RequestTemplate; values: Values }): Outgoing =>
  writeRequest(request, values)
