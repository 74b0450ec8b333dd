import { acceptInvitation } from './accept.ts'
import { acceptSignedIn } from './accept-signed-in.ts'
import { createInvitation } from './create.ts'
import { declineInvitation } from './decline.ts'
import { getInvitation } from './get.ts'
import { listInvitations } from './list.ts'
import { lookUpInvitation } from './lookup.ts'
import { resendInvitation } from './resend.ts'
import { revokeInvitation } from './revoke.ts'

export const invitations = [
  listInvitations,
  createInvitation,
  getInvitation,
  resendInvitation,
  revokeInvitation,
  lookUpInvitation,
  acceptInvitation,
  acceptSignedIn,
  declineInvitation,
]
