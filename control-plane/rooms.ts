import type { Endpoint } from './kernel/endpoint.ts'
import { incidents } from './monitoring/incidents/index.ts'
import { monitors } from './monitoring/monitors/index.ts'
import { statistics } from './monitoring/statistics/index.ts'
import { tags } from './monitoring/tags/index.ts'
import { sessions } from './people/sessions/index.ts'

/** The table of contents: every room's endpoints. */
export const endpoints: Endpoint[] = [...sessions, ...monitors, ...tags, ...incidents, ...statistics]
