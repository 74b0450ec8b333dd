import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/**
 * The triggers that may exist, by what only they can do, as `table.trigger`. A rule of the business stands in the
 * function that writes the row; those at the end are to become fewer.
 */
const kinds: Record<string, string> = {
  'a later updated_at, whichever statement writes': `
    brandings.raise_updated_at checks.raise_updated_at incidents.raise_updated_at invitations.raise_updated_at
    managed_teams.raise_updated_at memberships.raise_updated_at monitor_templates.raise_updated_at
    monitors.raise_updated_at provisioning_profiles.raise_updated_at tenants.raise_updated_at tokens.raise_updated_at
    users.raise_updated_at`,
  'the chain of the audit log': 'audit_entries.chained audit_entries.redacted',
  'counts and copies of columns, which lists are sorted by': `
    count_deltas.count_deltas_fold incidents.incidents_count_added incidents.incidents_count_changed
    incidents.incidents_count_removed managed_teams.managed_teams_copy managed_teams.managed_teams_count
    memberships.memberships_count_added memberships.memberships_count_changed memberships.memberships_count_removed
    monitors.monitors_count_added monitors.monitors_count_changed monitors.monitors_count_removed
    tenants.tenants_count tenants.tenants_show`,
  'notices of any change to processes that keep rows in memory, and to rows in quarantine': `
    checks.checks_change monitors.monitors_change notification_channels.notification_channels_change
    notification_rules.notification_rules_change smtp_configs.smtp_configs_change tenants.tenants_change
    users.users_change`,
  'other notices to such processes, and to loops that wait for rows': `
    brandings.brandings_pages custom_domains.custom_domains_changed custom_domains.custom_domains_deleted
    email_suppressions.email_suppressions_notify maintenance_windows.maintenance_windows_announced
    maintenance_windows.maintenance_windows_announced_change maintenance_windows.maintenance_windows_announced_end
    maintenance_windows.maintenance_windows_shown managed_teams.managed_teams_notify managed_teams.managed_teams_pages
    monitors.monitors_groups_added monitors.monitors_groups_removed outbox.outbox_mails_notify portals.portals_changed
    purged_tenants.purged_tenants_notify sso_configs.sso_configs_notify_pages sso_domains.sso_domains_notify_pages
    sso_domains.sso_domains_notify_pages_added status_page_components.status_page_components_deleted
    status_page_updates.status_page_updates_added status_pages.status_pages_notify
    subscriber_messages.subscriber_messages_added tenants.tenants_hosts`,
  'changes of who may do what, for the processes that remember it': `
    managed_teams.managed_teams_identity_change managed_teams.managed_teams_identity_end
    memberships.memberships_identity_change memberships.memberships_identity_end
    second_factors.second_factors_identity_change second_factors.second_factors_identity_end
    security_policies.security_policies_identity_change tenants.tenants_identity_change tenants.tenants_identity_end
    tenants.tenants_identity_suspension tokens.tokens_identity_change tokens.tokens_identity_end
    users.users_identity_change users.users_identity_end`,
  'the stream of changes': `
    maintenance_spans.maintenance_spans_stream_begun maintenance_spans.maintenance_spans_stream_ended
    monitors.monitors_stream outbox.outbox_stream tenants.tenants_stream`,
  'the past, by which figures are computed for years: a write without its entry falsifies them': `
    checks.checks_pause checks.checks_removed checks.checks_weigh maintenance_windows.maintenance_windows_record
    monitors.monitors_change_maintenance monitors.monitors_join_maintenance monitors.monitors_pause
    monitors.monitors_removed tenants.tenants_rest verdict_changes.verdict_changes_follow`,
  'what a cascade of deleted people and teams leaves': `
    escalation_targets.escalation_targets_lose memberships.memberships_leave_on_call
    memberships.memberships_lose_steps`,
  'rows that the writer may not see or write: sessions and devices of others, addresses of other teams': `
    memberships.memberships_age_sessions second_factors.second_factors_end_trusted_devices
    second_factors.second_factors_end_trusted_devices_too status_pages.status_pages_reserve_changed_slug
    status_pages.status_pages_reserve_slug users.users_end_trusted_devices`,
}

/**
 * Rules that stand in code by now, beside the trigger: processes of the version before leave them to it. They go with
 * the version after the first release that has them in code.
 */
const forTheVersionBefore = `
  incidents.incidents_escalation incidents.incidents_rename_resolution managed_teams.managed_teams_trial_times
  memberships.memberships_service tenants.tenants_keep_suspended`

/** Rules of the business that a trigger still holds, and why. */
const left: Record<string, string> = {
  'checks.checks_begin_agent_monitor': 'its rows belong to a module above the one that writes checks',
  'checks.checks_begin_heartbeat': 'its rows belong to a module above the one that writes checks',
  'maintenance_windows.maintenance_windows_change_notices': 'windows have eight writers without one verb',
  'maintenance_windows.maintenance_windows_plan_notices': 'windows have eight writers without one verb',
  'maintenance_windows.maintenance_windows_end_occurrence': 'windows have eight writers without one verb',
  'maintenance_windows.maintenance_windows_keep_occurrence': 'windows have eight writers without one verb',
  'memberships.memberships_account_contact':
    'memberships have nine writers without one verb, in modules below contacts',
  'users.users_account_contact': 'an address that is changed must not be called any more, by whichever way it changed',
}

const inSchema = [
  ...readFileSync('control-plane/db/schema.sql', 'utf8').matchAll(
    /CREATE (?:CONSTRAINT )?TRIGGER (\w+) .*? ON public\.(\w+)/g,
  ),
].map(([, trigger, table]) => `${table}.${trigger}`)
const named = [...Object.values(kinds), forTheVersionBefore].flatMap(names => names.split(/\s+/).filter(Boolean))
const listed = [...named, ...Object.keys(left)]

test('a trigger does what only triggers can: a rule of the business stands in the function that writes the row', () => {
  expect(inSchema.filter(name => !listed.includes(name)).toSorted()).toEqual([])
  expect(listed.filter(name => !inSchema.includes(name)).toSorted()).toEqual([])
  expect(new Set(listed).size).toBe(listed.length)
})

/** Functions that processes of the version before call. They go with the version after this one. */
const functionsOfTheVersionBefore = ['put_grants', 'return_grants', 'take_grants']

test('a function that only the version before needs stays in the schema, and no code calls it', () => {
  const schema = readFileSync('control-plane/db/schema.sql', 'utf8')
  const code = globSync('{control-plane,cli,analytics,workflows}/**/*.ts').map(path => readFileSync(path, 'utf8'))
  for (const name of functionsOfTheVersionBefore) {
    expect(schema).toContain(`FUNCTION public.${name}(`)
    expect(code.filter(text => text.includes(name))).toEqual([])
  }
})
