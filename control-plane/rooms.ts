import type { Endpoint } from './kernel/endpoint.ts'
import { incidents } from './monitoring/incidents/index.ts'
import { statistics } from './monitoring/statistics/index.ts'
import { sessions } from './people/sessions/index.ts'

/** The table of contents: every room's endpoints. */
export const endpoints: Endpoint[] = [...sessions, ...incidents, ...statistics]
