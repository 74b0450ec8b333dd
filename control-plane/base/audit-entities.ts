/**
 * The entity types of audit entries, by each of which the audit log filters. The first sixteen are those of the
 * specification.
 */
export const auditEntities = [
  'monitor',
  'check',
  'notification_channel',
  'notification_rule',
  'status_page',
  'maintenance_window',
  'incident',
  'user',
  'tenant',
  'managed_tenant',
  'personal_access_token',
  'team_invitation',
  'escalation_policy',
  'escalation_step',
  'on_call_schedule',
  'on_call_rotation',
  'monitor_template',
  'provisioning_profile',
  'agent',
  'agent_enrolment',
  'region',
  'dead_event',
  'quarantined_row',
  'custom_domain',
  'partner_sso',
  'subscription',
  'invoice',
  'scim_token',
  'migration',
] as const
export type AuditEntity = (typeof auditEntities)[number]
