import type { MailType } from '#contract/mails.ts'
import {
  billingGraceEnding,
  billingInvoiceIssued,
  billingInvoicePaid,
  billingPaymentFailed,
  billingPlanChanged,
} from './billing.ts'
import { certificateRenewed } from './certificate-renewed.ts'
import { channelFailing } from './channel-failing.ts'
import { channelRecipientsLost } from './channel-recipients-lost.ts'
import { digest } from './digest.ts'
import { emailChangeRequested } from './email-change-requested.ts'
import { emailChangeVerify } from './email-change-verify.ts'
import { emailChangedNotify } from './email-changed-notify.ts'
import { emailVerify } from './email-verify.ts'
import { escalationExhausted } from './escalation-exhausted.ts'
import { escalationNotice } from './escalation-notice.ts'
import { escalationStepLost } from './escalation-step-lost.ts'
import { incidentCreated } from './incident-created.ts'
import { incidentResolved } from './incident-resolved.ts'
import { invitation } from './invitation.ts'
import { loginLink } from './login-link.ts'
import { mailBudgetExceeded } from './mail-budget-exceeded.ts'
import { maintenance } from './maintenance.ts'
import { memberRemoved } from './member-removed.ts'
import { monthlyReport } from './monthly-report.ts'
import { onCallGap } from './on-call-gap.ts'
import { onCallHandover } from './on-call-handover.ts'
import { onHoldChanged } from './on-hold-changed.ts'
import { passwordReset } from './password-reset.ts'
import { recipientConfirm } from './recipient-confirm.ts'
import { accountBlocked } from './security-account-blocked.ts'
import { accountDeleted } from './security-account-deleted.ts'
import { accountUnblocked } from './security-account-unblocked.ts'
import { apiTokenCreated } from './security-api-token-created.ts'
import { apiTokenRevoked } from './security-api-token-revoked.ts'
import { authPolicyChanged } from './security-auth-policy-changed.ts'
import { emailChanged } from './security-email-changed.ts'
import { loginNewDevice } from './security-login-new-device.ts'
import { mfaDisabled } from './security-mfa-disabled.ts'
import { mfaEnabled } from './security-mfa-enabled.ts'
import { mfaReset } from './security-mfa-reset.ts'
import { passkeyAdded } from './security-passkey-added.ts'
import { passkeyRemoved } from './security-passkey-removed.ts'
import { passwordChanged } from './security-password-changed.ts'
import { recoveryCodesRegenerated } from './security-recovery-codes-regenerated.ts'
import { roleChanged } from './security-role-changed.ts'
import { sessionRevoked } from './security-session-revoked.ts'
import { signUpConfirm } from './sign-up-confirm.ts'
import { signUpKnown } from './sign-up-known.ts'
import { smtpFellBack } from './smtp-fell-back.ts'
import { smtpTest } from './smtp-test.ts'
import { statusPageAccess } from './status-page-access.ts'
import { statusPagePostOpen } from './status-page-post-open.ts'
import { statusPageSubscription } from './status-page-subscription.ts'
import { subscriptionConfirm } from './subscription-confirm.ts'
import { teamPaused, teamUnpaused } from './team-paused.ts'
import type { Template } from './template.ts'
import { trialEnding } from './trial-ending.ts'
import { trialExpired } from './trial-expired.ts'
import { warning } from './warning.ts'

const all = [
  billingGraceEnding,
  billingInvoiceIssued,
  billingInvoicePaid,
  billingPaymentFailed,
  billingPlanChanged,
  certificateRenewed,
  channelFailing,
  digest,
  emailChangeRequested,
  emailChangeVerify,
  emailChangedNotify,
  emailVerify,
  signUpConfirm,
  signUpKnown,
  escalationExhausted,
  escalationNotice,
  channelRecipientsLost,
  escalationStepLost,
  incidentCreated,
  incidentResolved,
  invitation,
  loginLink,
  maintenance,
  mailBudgetExceeded,
  memberRemoved,
  monthlyReport,
  onCallGap,
  onCallHandover,
  onHoldChanged,
  passwordReset,
  recipientConfirm,
  accountBlocked,
  accountDeleted,
  accountUnblocked,
  authPolicyChanged,
  apiTokenCreated,
  apiTokenRevoked,
  emailChanged,
  loginNewDevice,
  mfaDisabled,
  mfaEnabled,
  mfaReset,
  passkeyAdded,
  passkeyRemoved,
  passwordChanged,
  recoveryCodesRegenerated,
  roleChanged,
  sessionRevoked,
  smtpFellBack,
  smtpTest,
  statusPageAccess,
  statusPagePostOpen,
  statusPageSubscription,
  subscriptionConfirm,
  teamPaused,
  teamUnpaused,
  trialEnding,
  trialExpired,
  warning,
]

/** The templates of mails by type. Those of the type `event` are in `notifications/templates`. */
export const templates: ReadonlyMap<MailType, Template> = new Map(all.map(each => [each.type, each]))
