import { createEnrolmentToken } from './create-enrolment-token.ts'
import { listAgents } from './list.ts'
import { listRegions } from './list-regions.ts'
import { listPlatformRegions, retireRegion } from './platform-regions.ts'
import { revokeAgentEndpoint } from './revoke.ts'

export const agents = [
  listAgents,
  createEnrolmentToken,
  revokeAgentEndpoint,
  listRegions,
  listPlatformRegions,
  retireRegion,
]
