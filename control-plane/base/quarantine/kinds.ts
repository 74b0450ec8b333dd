interface Kind {
  /** The table of such rows, and the column and type of their key: a deleted row leaves the quarantine. */
  in?: { table: string; key: string; type: 'uuid' | 'bigint' }
  /** The consequence for the owner of the row. */
  effect: string
}

const uuidIn = (table: string, key = 'id') => ({ table, key, type: 'uuid' as const })

/** Every kind of row that a loop over many tenants reads and may fail on. */
export const quarantineKinds = {
  agent: { in: uuidIn('agents'), effect: 'The agent is not trusted.' },
  billing_event: { effect: 'The payment or change that the event reports has no effect yet.' },
  check: { in: uuidIn('checks'), effect: 'The check is not run.' },
  check_facts: { in: uuidIn('check_snapshots', 'check_id'), effect: 'Change detection starts without a snapshot.' },
  crawl_run: { in: uuidIn('crawl_runs'), effect: 'The crawl does not go on.' },
  custom_domain: { in: uuidIn('custom_domains'), effect: 'Its DNS records are not checked.' },
  delivery: { in: uuidIn('deliveries'), effect: 'The notification is not sent.' },
  digest: { in: uuidIn('users'), effect: 'The person gets no digest.' },
  durable_step: { effect: 'The durable process does not go on.' },
  escalation_run: { in: uuidIn('escalation_runs'), effect: 'The escalation takes no further steps.' },
  flapping: { in: uuidIn('flappings'), effect: 'No notification is sent that the monitor flaps, or no longer does.' },
  heartbeat: { in: uuidIn('heartbeats', 'check_id'), effect: 'Pings are kept, and silence is not noticed.' },
  host_storm: { in: uuidIn('host_storms'), effect: 'No notification is sent of the storm of a host, or of its end.' },
  mail: { in: { table: 'outbox', key: 'id', type: 'bigint' as const }, effect: 'The mail is not sent.' },
  maintenance_window: { in: uuidIn('maintenance_windows'), effect: 'Its next occurrence does not start.' },
  monitor_status: { in: uuidIn('monitors'), effect: 'The status that is shown of the monitor is not the newest.' },
  monthly_report: { in: uuidIn('users'), effect: 'The person gets no monthly report.' },
  notification_channel: { in: uuidIn('notification_channels'), effect: 'Nothing is sent to the channel.' },
  notification_rule: { in: uuidIn('notification_rules'), effect: 'The rule sends no notifications.' },
  on_call_schedule: { in: uuidIn('on_call_schedules'), effect: 'Gaps and hand-overs of the schedule are not mailed.' },
  ping_retention: { in: uuidIn('heartbeats', 'check_id'), effect: 'Old pings are not deleted.' },
  purged_tenant: { effect: 'A purged tenant that came back is not erased.' },
  pushed_report: {
    in: { table: 'pushed_reports', key: 'id', type: 'bigint' as const },
    effect: 'The report is not decided on.',
  },
  result: { in: uuidIn('checks'), effect: 'Some results of the check were not stored.' },
  server: { in: uuidIn('agent_monitors', 'monitor_id'), effect: 'The server is not judged.' },
  server_metrics: { in: uuidIn('agent_monitors', 'monitor_id'), effect: 'Some values of the server were not stored.' },
  smtp_server: { in: uuidIn('smtp_configs', 'tenant_id'), effect: 'Mail leaves by the platform’s own server.' },
  storm: { in: uuidIn('storms'), effect: 'No notification is sent of the storm, or of its end.' },
  sso_domain: { in: uuidIn('sso_domains'), effect: 'Its DNS record is not checked.' },
  stored_secret: { effect: 'The secret cannot be opened.' },
  subscriber_mailing: {
    in: uuidIn('subscriber_mailings', 'update_id'),
    effect: 'Further subscribers are not notified of the update.',
  },
  subscriber_message: {
    in: { table: 'subscriber_messages', key: 'id', type: 'bigint' as const },
    effect: 'The subscriber is not notified.',
  },
  suppressed_incident: { in: uuidIn('incidents'), effect: 'No notification is sent of the incident.' },
  suppressed_warning: { in: uuidIn('check_warnings', 'check_id'), effect: 'No notification is sent of the warning.' },
  usage: { in: uuidIn('tenants'), effect: 'The usage of the tenant is not counted.' },
  verdict: { in: uuidIn('checks'), effect: 'The verdict of the check stays as it was.' },
  verdict_write: { in: uuidIn('checks'), effect: 'The verdict of the check is decided, and not stored.' },
  web_vitals: { in: uuidIn('monitors'), effect: 'Some web vitals of the monitor were not stored.' },
} satisfies Record<string, Kind>

export type QuarantineKind = keyof typeof quarantineKinds
export const kindNames = Object.keys(quarantineKinds) as QuarantineKind[]

export const kindOf = (name: string): Kind | undefined => (quarantineKinds as Record<string, Kind>)[name]
