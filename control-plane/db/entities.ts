import { Invitation, Membership, Token } from '#control-plane/access/entity.ts'
import { ScimToken, ScimUser } from '#control-plane/access/scim/entity.ts'
import { NotificationChannel } from '#control-plane/alerting/channels/entity.ts'
import { Delivery } from '#control-plane/alerting/deliveries/entity.ts'
import { SentMonth } from '#control-plane/alerting/digest/entity.ts'
import {
  EscalationNotification,
  EscalationPolicy,
  EscalationRun,
  EscalationStep,
  EscalationTarget,
} from '#control-plane/alerting/escalation-policies/entity.ts'
import { MailSinkMessage } from '#control-plane/alerting/mail-sink/entity.ts'
import {
  OnCallCalendar,
  OnCallOverride,
  OnCallRotation,
  OnCallRotationUser,
  OnCallRotationVersion,
  OnCallSchedule,
} from '#control-plane/alerting/on-call-schedules/entity.ts'
import { NotificationDecisions } from '#control-plane/alerting/plan/entity.ts'
import { MailBudget, MailQuestion, MailRecipient } from '#control-plane/alerting/recipients/entity.ts'
import { NotificationRule } from '#control-plane/alerting/rules/entity.ts'
import {
  Epoch,
  IngestMember,
  IngestOwner,
  Liveness,
  MadeBackup,
  QuarantinedRow,
  RestoreMark,
} from '#control-plane/base/entity.ts'
import {
  Agent,
  AgentEnrolment,
  CheckChange,
  CheckRegions,
  CheckSnapshot,
  CheckWarning,
  CrawlPage,
  CrawlRun,
  HistoryWait,
  MonitorChange,
  MonitoringGap,
  PushedReport,
  Region,
  RegionEligibility,
  RegionGap,
  VerdictChange,
  Vote,
} from '#control-plane/engine/entity.ts'
import { Flapping, HostStorm, Storm } from '#control-plane/engine/suppression/entity.ts'
import { IdempotencyKey, RateWindow } from '#control-plane/http/entity.ts'
import {
  EmailChange,
  EmailRevert,
  EmailVerification,
  Guess,
  KnownDevice,
  KnownNetwork,
  LoginLink,
  PasswordReset,
  SecondFactor,
  TrustedDevice,
  User,
} from '#control-plane/identity/entity.ts'
import { PartnerSso, PartnerSsoPerson, PartnerSsoUse } from '#control-plane/identity/partner-sso/entity.ts'
import { Passkey, PasskeyChallenge } from '#control-plane/identity/passkeys/entity.ts'
import { SecurityPolicy } from '#control-plane/identity/security-policy/entity.ts'
import {
  SsoAttempt,
  SsoConfig,
  SsoDomain,
  SsoIdentity,
  SsoLogin,
  SsoLogoutToken,
} from '#control-plane/identity/sso/entity.ts'
import { AgentMonitor, AgentToken, WaitingServerSample } from '#control-plane/monitoring/agent-monitors/entity.ts'
import {
  Heartbeat,
  IngestionGap,
  Ping,
  PingAddress,
  PingAlias,
} from '#control-plane/monitoring/cron-monitors/entity.ts'
import { GeoAudit } from '#control-plane/monitoring/geo-audits/entity.ts'
import { Incident, IncidentNumber, IncidentUpdate } from '#control-plane/monitoring/incidents/entity.ts'
import {
  MaintenanceCalendar,
  MaintenanceNotice,
  MaintenanceOccurrence,
  MaintenanceSpan,
  MaintenanceWindow,
} from '#control-plane/monitoring/maintenance-windows/entity.ts'
import {
  ImportedHistory,
  ImportedMonitor,
  MigrationDivergence,
  MigrationFile,
  MigrationItem,
  ProviderMigration,
} from '#control-plane/monitoring/migrations/entity.ts'
import { Check, Monitor, RemovedMonitor } from '#control-plane/monitoring/monitors/entity.ts'
import { SloSpan, SloState } from '#control-plane/monitoring/objectives/entity.ts'
import { VitalsBeacon } from '#control-plane/monitoring/web-vitals/entity.ts'
import { AuditEntry, AuditHead, AuditLink, OutboxRow, StreamEvent } from '#control-plane/outbox/entity.ts'
import { ProcessReportRow } from '#control-plane/platform/processes/entity.ts'
import { SetupLink } from '#control-plane/platform/setup/entity.ts'
import { CustomDomain } from '#control-plane/publishing/custom-domains/entity.ts'
import { MonthlyReportMail } from '#control-plane/publishing/monthly-reports/entity.ts'
import {
  StatusPage,
  StatusPageComponent,
  StatusPageFormerSlug,
  StatusPageGroup,
  StatusPagePost,
  StatusPagePostComponent,
  StatusPageUpdate,
  StatusPageUpdateTemplate,
} from '#control-plane/publishing/status-pages/entity.ts'
import {
  StatusPageSubscriber,
  SubscriberMailing,
  SubscriberMessage,
} from '#control-plane/publishing/status-pages/subscribers/entity.ts'
import { EmailSuppression } from '#control-plane/reselling/email-suppression/entity.ts'
import { ManagedTeam, PurgedTenant } from '#control-plane/reselling/managed-teams/entity.ts'
import { MonitorTemplate } from '#control-plane/reselling/monitor-templates/entity.ts'
import { Portal, SignUp, UsedChallenge } from '#control-plane/reselling/portal/entity.ts'
import { ProvisioningProfile } from '#control-plane/reselling/provisioning-profiles/entity.ts'
import { BillingEvent, EndedSubscription, Invoice, Subscription } from '#control-plane/tenancy/billing/entity.ts'
import { Branding } from '#control-plane/tenancy/branding/entity.ts'
import { QuotaNotice } from '#control-plane/tenancy/plans/entity.ts'
import { SmtpConfig } from '#control-plane/tenancy/smtp/entity.ts'
import { Tenant, TenantCount } from '#control-plane/tenancy/tenants/entity.ts'
import { UsageCounter } from '#control-plane/tenancy/usage/entity.ts'

/** Everything that is stored in PostgreSQL, an entity a table. */
export const entities = [
  Epoch,
  IngestMember,
  IngestOwner,
  Liveness,
  QuarantinedRow,
  RestoreMark,
  MadeBackup,
  Tenant,
  TenantCount,
  Branding,
  QuotaNotice,
  UsageCounter,
  Subscription,
  Invoice,
  BillingEvent,
  EndedSubscription,
  SmtpConfig,
  EmailChange,
  EmailRevert,
  EmailVerification,
  Guess,
  KnownDevice,
  KnownNetwork,
  LoginLink,
  PasswordReset,
  Passkey,
  PasskeyChallenge,
  SecondFactor,
  SecurityPolicy,
  TrustedDevice,
  User,
  PartnerSso,
  PartnerSsoUse,
  PartnerSsoPerson,
  Invitation,
  Membership,
  Token,
  AuditEntry,
  AuditHead,
  AuditLink,
  OutboxRow,
  StreamEvent,
  IdempotencyKey,
  RateWindow,
  Check,
  Monitor,
  RemovedMonitor,
  Incident,
  IncidentNumber,
  IncidentUpdate,
  Heartbeat,
  IngestionGap,
  Ping,
  PingAddress,
  PingAlias,
  AgentMonitor,
  AgentToken,
  WaitingServerSample,
  GeoAudit,
  ProviderMigration,
  MigrationFile,
  MigrationItem,
  ImportedHistory,
  ImportedMonitor,
  MigrationDivergence,
  VitalsBeacon,
  MaintenanceNotice,
  MaintenanceOccurrence,
  MaintenanceSpan,
  EscalationPolicy,
  EscalationStep,
  EscalationTarget,
  EscalationRun,
  EscalationNotification,
  MaintenanceWindow,
  MaintenanceCalendar,
  Flapping,
  HostStorm,
  SloState,
  SloSpan,
  Storm,
  Agent,
  AgentEnrolment,
  CheckChange,
  CheckRegions,
  CheckSnapshot,
  CheckWarning,
  CrawlPage,
  CrawlRun,
  HistoryWait,
  MonitorChange,
  MonitoringGap,
  PushedReport,
  Region,
  RegionEligibility,
  RegionGap,
  VerdictChange,
  Vote,
  NotificationChannel,
  NotificationRule,
  OnCallCalendar,
  OnCallOverride,
  OnCallRotation,
  OnCallRotationUser,
  OnCallRotationVersion,
  OnCallSchedule,
  Delivery,
  NotificationDecisions,
  MailSinkMessage,
  MailBudget,
  MailQuestion,
  MailRecipient,
  MonthlyReportMail,
  SentMonth,
  StatusPage,
  StatusPageComponent,
  StatusPageFormerSlug,
  StatusPageGroup,
  StatusPagePost,
  StatusPagePostComponent,
  StatusPageUpdate,
  StatusPageUpdateTemplate,
  StatusPageSubscriber,
  SubscriberMailing,
  SubscriberMessage,
  CustomDomain,
  ScimToken,
  ScimUser,
  SsoAttempt,
  SsoConfig,
  SsoDomain,
  SsoIdentity,
  SsoLogin,
  SsoLogoutToken,
  ManagedTeam,
  PurgedTenant,
  MonitorTemplate,
  ProvisioningProfile,
  EmailSuppression,
  Portal,
  SignUp,
  UsedChallenge,
  SetupLink,
  ProcessReportRow,
] as const
