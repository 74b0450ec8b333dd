/** The tags of the operations in the order of the documentation: group, tag, description. */
const groups: Record<string, Record<string, string>> = {
  Monitoring: {
    monitors: 'A site, a host, a job or a server, with its checks.',
    checks: 'One kind of examination of one monitor, and its results.',
    incidents: 'Outages of monitors, with the results that prove them.',
    'maintenance-windows': 'When a team works on its systems, and its alerts are suppressed.',
    'cron-monitors': 'Jobs that report by pings.',
    ping: 'The addresses that jobs report to.',
    'agent-monitors': 'Servers that report their own metrics.',
    'crawl-runs': 'Crawls of a whole site: broken links, mixed content.',
    'geo-audits': 'One run of a check from every region at once.',
    'web-vitals': 'How fast a site is for its visitors.',
    badges: 'The uptime of a monitor as a picture.',
    tags: 'Labels of monitors.',
    dashboard: 'All monitors at a glance.',
    regions: 'The regions that can run checks.',
    agents: 'The programs that run checks in the regions.',
    'status-pages': 'What the public sees of monitors and incidents.',
    'status-page-templates': 'Texts prepared for updates of status pages.',
    'monthly-report': 'The report of one month.',
    'monthly-reports': 'The months that have a report.',
  },
  Alerting: {
    'notification-channels': 'The receivers of messages: webhook, e-mail, Slack and others.',
    'notification-rules': 'Which events go to which channel.',
    'notification-logs': 'Sent messages and their outcome.',
    'on-call-schedules': 'Who is on call, and when.',
    'mail-recipients': 'People who confirm or refuse mail of a channel.',
    'mail-budget': 'How many mails a team may send a day.',
    digest: 'The summary by mail.',
    webhooks: 'The requests that receivers are sent, and the webhooks of a reseller.',
  },
  People: {
    auth: 'Signing in, passwords, and verified addresses.',
    profile: 'The person signed in: name, second factor, sessions, export.',
    members: 'The people of a team.',
    invitations: 'Invitations into a team.',
    'api-tokens': 'Tokens that act in a person’s name.',
    'api-keys': 'Tokens that belong to a team.',
    'audit-log': 'The actions in a team, each with its actor.',
  },
  Reselling: {
    'managed-teams': 'The teams of a reseller’s customers.',
    overview: 'All managed teams at a glance.',
    'provisioning-profiles': 'The initial settings of new teams.',
    'monitor-templates': 'Monitors that are created from a few variables.',
    branding: 'Names, colours and links of a team.',
    plan: 'The limits and features of a team.',
    'smtp-config': 'The mail server that sends a team’s mail.',
    'email-suppression': 'Mails that go to the reseller’s webhook instead.',
    tokens: 'The tokens of a reseller.',
  },
  Operating: {
    tenants: 'All tenants of this installation.',
    platform: 'Regions, and events and rows that could not be handled.',
    'caught-mails': 'Mails that are kept for the operator when no mail server is configured.',
  },
}

export const tags = Object.values(groups).flatMap(group =>
  Object.entries(group).map(([name, description]) => ({ name, description })),
)
export const tagGroups = Object.entries(groups).map(([name, group]) => ({ name, tags: Object.keys(group) }))
