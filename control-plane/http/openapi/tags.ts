/** What the operations are about, in the order in which a reader meets them: group, tag, what it is. */
const groups: Record<string, Record<string, string>> = {
  Watching: {
    monitors: 'What is watched: a site, a host, a job or a server, with its checks.',
    checks: 'One kind of examination of one monitor, and its results.',
    incidents: 'What was found to be down, from when to when, with the proof.',
    'maintenance-windows': 'When a team works on its systems, and its alerts are suppressed.',
    'cron-monitors': 'Jobs that report by pings.',
    ping: 'Where jobs report.',
    'agent-monitors': 'Servers that report their own metrics.',
    'crawl-runs': 'Crawls of a whole site: broken links, mixed content.',
    'geo-audits': 'One look from every region at once.',
    'web-vitals': 'How fast a site is for its visitors.',
    badges: 'The uptime of a monitor as a picture.',
    tags: 'Words that monitors are marked with.',
    dashboard: 'All monitors at a glance.',
    regions: 'Where monitors can be watched from.',
    agents: 'The programs that examine targets from the regions.',
    'monthly-report': 'The report of one month.',
    'monthly-reports': 'The months that have a report.',
  },
  Alerting: {
    'notification-channels': 'Where messages go: webhook, e-mail, Slack and others.',
    'notification-rules': 'Which events go to which channel.',
    'notification-logs': 'What was sent, and what became of it.',
    'mail-recipients': 'People who confirm or refuse mail of a channel.',
    'mail-budget': 'How many mails a team may send a day.',
    digest: 'The summary by mail.',
    webhooks: 'What receivers are sent, and the webhooks of a reseller.',
  },
  People: {
    auth: 'Signing in, passwords, and addresses that are proven.',
    profile: 'The person signed in: name, second factor, sessions, export.',
    members: 'The people of a team.',
    invitations: 'Asking people into a team.',
    'api-tokens': 'Tokens that act in a person’s name.',
    'api-keys': 'Tokens that belong to a team.',
    'audit-log': 'What was done in a team, and by whom.',
  },
  Reselling: {
    'managed-teams': 'The teams of a reseller’s customers.',
    overview: 'All managed teams at a glance.',
    'provisioning-profiles': 'What a new team begins with.',
    'monitor-templates': 'Monitors that are made from a few variables.',
    branding: 'How a team appears.',
    plan: 'What a team may use.',
    'smtp-config': 'The mail server a team’s mail leaves by.',
    'email-suppression': 'Mails that go to the reseller’s webhook instead.',
    tokens: 'The tokens of a reseller.',
  },
  Operating: {
    tenants: 'All tenants of this installation.',
    platform: 'Regions, and events and rows that could not be handled.',
    'caught-mails': 'Mails that were kept because there is no mail server.',
  },
}

export const tags = Object.values(groups).flatMap(group =>
  Object.entries(group).map(([name, description]) => ({ name, description })),
)
export const tagGroups = Object.entries(groups).map(([name, group]) => ({ name, tags: Object.keys(group) }))
