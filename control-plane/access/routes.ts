export {
  createApiKey,
  deleteApiKey,
  getApiKey,
  listApiKeys,
  rotateApiKey,
  updateApiKey,
} from './api-keys/endpoints.ts'
export {
  createApiToken,
  deleteApiToken,
  getApiToken,
  listApiTokens,
  rotateApiToken,
  updateApiToken,
} from './api-tokens/endpoints.ts'
export { listTenantScopes } from './api-tokens/list-scopes.ts'
export { acceptInvitation } from './invitations/accept.ts'
export { acceptSignedIn } from './invitations/accept-signed-in.ts'
export { createInvitation } from './invitations/create.ts'
export { declineInvitation } from './invitations/decline.ts'
export { getInvitation } from './invitations/get.ts'
export { listInvitations } from './invitations/list.ts'
export { lookUpInvitation } from './invitations/lookup.ts'
export { resendInvitation } from './invitations/resend.ts'
export { revokeInvitation } from './invitations/revoke.ts'
export { createMember } from './members/create.ts'
export { getMember } from './members/get.ts'
export { leaveTeam } from './members/leave.ts'
export { listMembers } from './members/list.ts'
export { removeMember } from './members/remove.ts'
export { resetMfa } from './members/reset-mfa.ts'
export { updateMember } from './members/update.ts'
export { discovery } from './scim/discovery/index.ts'
export { createScimToken } from './scim/tokens/create.ts'
export { deleteScimToken } from './scim/tokens/delete.ts'
export { listScimTokens } from './scim/tokens/list.ts'
export { createScimUser } from './scim/users/create.ts'
export { deleteScimUser } from './scim/users/delete.ts'
export { getScimUser } from './scim/users/get.ts'
export { listScimUsers } from './scim/users/list.ts'
export { replaceScimUser } from './scim/users/replace.ts'
export { updateScimUser } from './scim/users/update.ts'
