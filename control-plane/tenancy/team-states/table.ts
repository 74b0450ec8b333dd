import type { MailType } from '#contract/mails.ts'

/** The states of a team, in the order in which they are asked: the first that holds is its state. */
export const teamStates = ['in_trash', 'suspended', 'paused', 'over_plan', 'on_trial', 'active'] as const
export type TeamState = (typeof teamStates)[number]

/** What a team has or does, by the name that the documentation gives it. */
export const things = {
  checks: 'Checks',
  heartbeats: 'Silence of heartbeats',
  pings: 'Pings',
  servers: 'Metrics of servers',
  alerts: 'New alerts',
  deliveries: 'Notifications that wait',
  mails: 'Mails about the team',
  account_mails: 'Mails about an account',
  pages: 'Status pages',
  badges: 'Badges',
  creates: 'Creating through the API',
  writes: 'Changing and deleting through the API',
  tokens: 'Tokens of the team',
  sign_in: 'Signing in',
  trials: 'The clock of a trial',
  invoices: 'The clock of invoices',
  migrations: 'Steps of a migration',
  workflows: 'Ends of invitations, snoozes and rotated keys',
} as const
export type Thing = keyof typeof things

/** `waits`: it goes on by itself after the state. `is not there`: what came meanwhile is lost. */
export type Outcome = 'goes on' | 'waits' | 'refused' | 'is not there'

export interface Cell {
  happens: Outcome
  /** A sentence of the documentation; null where there is nothing to say. */
  says: string | null
  /** How it comes back; null where it never stopped. */
  back: string | null
  /** What the API answers where it is refused or not there. */
  answer?: { status: number; code: string }
  /** Mails that are sent of it in this state. */
  mails?: readonly MailType[]
}

export interface StateOfTeam {
  title: string
  /** How a team gets into the state. */
  begins: string
  /** Who is notified of its beginning, and by which mail. */
  notified: string
  mails: readonly MailType[]
  /** In whose brand, and by whose server. */
  brand: string
  /** How it ends, and who is notified of that. */
  ends: string
  endMails: readonly MailType[]
  things: Readonly<Record<Thing, Cell>>
}

type More = Pick<Cell, 'answer' | 'mails'>
const goesOn = (says: string | null = null, more: More = {}): Cell => ({
  happens: 'goes on',
  says,
  back: null,
  ...more,
})
const waits = (says: string, back: string, more: More = {}): Cell => ({ happens: 'waits', says, back, ...more })
const refused = (says: string, back: string, more: More = {}): Cell => ({ happens: 'refused', says, back, ...more })
const isNotThere = (says: string, back: string, more: More = {}): Cell => ({
  happens: 'is not there',
  says,
  back,
  ...more,
})

const everything = {
  checks: goesOn(),
  heartbeats: goesOn(),
  pings: goesOn(),
  servers: goesOn(),
  alerts: goesOn(),
  deliveries: goesOn(),
  mails: goesOn(),
  account_mails: goesOn(),
  pages: goesOn(),
  badges: goesOn(),
  creates: goesOn(),
  writes: goesOn(),
  tokens: goesOn(),
  sign_in: goesOn(),
  trials: isNotThere('The team has none.', 'A reseller sends `trial_days`.'),
  invoices: goesOn(),
  migrations: goesOn(),
  workflows: goesOn(),
} as const satisfies Record<Thing, Cell>

const trials = goesOn('The end of the trial comes at its moment.', { mails: ['trial_ending', 'trial_expired'] })
const atOnce = 'At once: what is checked again is unknown until its first verdict.'
const ownBrand = 'As ever: the brand and the mail server of the team, else of its reseller, else of the installation.'
const suspended = { answer: { status: 403, code: 'tenant_suspended' } }
const unknown = { answer: { status: 401, code: 'unauthenticated' } }
const missing = { answer: { status: 404, code: 'not_found' } }
const untilRestored = 'With the restoration.'

/**
 * What goes on in a team, by its state. The code reads it (`state.ts`), a test walks it past every surface, and
 * `docs/team-states.md` is made of it.
 */
export const statesOfTeams: Readonly<Record<TeamState, StateOfTeam>> = {
  active: {
    title: 'Active',
    begins: 'A team is created, or none of the other states holds.',
    notified: 'The reseller, by `team.provisioned`.',
    mails: [],
    brand: ownBrand,
    ends: 'With any of the other states.',
    endMails: [],
    things: everything,
  },
  on_trial: {
    title: 'On trial',
    begins: 'Its reseller sends `trial_days`.',
    notified:
      'The administrators and the reseller, three days and one day before the end (`team.trial_ending`) and at the ' +
      'end (`team.trial_expired`).',
    mails: ['trial_ending', 'trial_expired'],
    brand: ownBrand,
    ends: 'At its moment the plan after the trial applies; `trial_days: 0` ends it at once and keeps the plan.',
    endMails: [],
    things: { ...everything, trials },
  },
  over_plan: {
    title: 'Over its plan',
    begins: 'The plan or its limits become less than the team has.',
    notified: 'The administrators, of what is on hold, and the reseller, by `tenant.quota_warning`.',
    mails: ['on_hold_changed', 'trial_expired', 'billing_plan_changed'],
    brand: ownBrand,
    ends:
      'The plan includes it again, or there is less of it: what was on hold is released, and the administrators are ' +
      'notified.',
    endMails: ['on_hold_changed'],
    things: {
      ...everything,
      checks: waits('Those of monitors on hold do not run; all others do.', atOnce),
      heartbeats: waits('A heartbeat on hold may stay silent.', atOnce),
      pings: goesOn('Also a heartbeat on hold takes and lists them.'),
      servers: goesOn(
        'Also a server on hold may send them, and they are kept. They are judged once it is released. A plan without ' +
          'servers refuses them.',
      ),
      alerts: waits(
        'What is on hold opens no incident, and its open one ends as stopped. Channels on hold get nothing.',
        'With the next incident.',
      ),
      pages: goesOn('They stay, and can only become less. A monitor on hold has no data.'),
      badges: goesOn('That of a monitor on hold ends with the beginning of that.'),
      creates: refused(
        'Of what the team has as much as the plan allows, nothing more is created.',
        'As soon as there is less of it, or the plan allows more.',
        { answer: { status: 422, code: 'plan_limit' } },
      ),
      writes: goesOn('What there is too much of can be changed and deleted.'),
      tokens: goesOn('A plan whose API may only be read refuses writes by tokens.'),
      trials,
      migrations: goesOn('No more is created than the plan allows.'),
    },
  },
  paused: {
    title: 'Paused by its reseller',
    begins: 'Its reseller pauses it, with a reason.',
    notified:
      'The administrators, and the reseller by `team.paused`. The app shows it, with the reason, on every page.',
    mails: ['team_paused'],
    brand: ownBrand,
    ends: 'Its reseller unpauses it, restores it from the trash or detaches it; the administrators are notified.',
    endMails: ['team_unpaused'],
    things: {
      ...everything,
      checks: waits('None runs. Open incidents end as stopped; the time counts neither as up nor as down.', atOnce),
      heartbeats: waits('Silence is not judged.', 'With the next expected ping.'),
      pings: goesOn('They are taken and listed, and judged by none.'),
      servers: goesOn('They are taken and kept, and judged by none.'),
      alerts: waits('No incident opens, and no person is called.', 'With the next incident.'),
      deliveries: goesOn('The channels that got the beginning of an incident get its end.'),
      pages: goesOn('They are shown, with no data at the moment.'),
      badges: goesOn('They show the days until the pause.'),
      creates: goesOn('What is created is not checked before the pause ends.'),
      sign_in: goesOn('Only links of Partner SSO are refused.'),
      trials,
    },
  },
  suspended: {
    title: 'Suspended by the operator',
    begins: 'An operator suspends it. It is paused as well.',
    notified: 'No person by mail. Signing in and every answer of the API say it.',
    mails: [],
    brand: ownBrand,
    ends: 'An operator ends it. If its reseller had paused it, or did so meanwhile, it is paused then.',
    endMails: [],
    things: {
      ...everything,
      checks: waits('None runs. Open incidents end as stopped; the time counts neither as up nor as down.', atOnce),
      heartbeats: waits('Silence is not judged.', 'With the next expected ping.'),
      pings: goesOn('They are taken and listed, and judged by none.'),
      servers: refused(
        'As if the token were unknown: an agent keeps what it cannot send.',
        'With the next report; the token is the same.',
        unknown,
      ),
      alerts: waits('No incident opens, and no person is called.', 'With the next incident.'),
      deliveries: goesOn('The channels that got the beginning of an incident get its end.'),
      pages: goesOn(
        'They are shown at the address of the installation, and take no subscribers. Own hostnames are not served.',
      ),
      badges: goesOn('They show the days until the suspension.'),
      creates: refused('By keys and by sessions. Its reseller may act in it.', 'At once.', suspended),
      writes: refused('As creating.', 'At once.', suspended),
      tokens: refused('Every token of the team, and impersonation.', 'At once: they are the same.', suspended),
      sign_in: refused('A person with another team enters that one.', 'At once.', {
        answer: { status: 422, code: 'tenant_suspended' },
      }),
      trials,
      migrations: waits(
        'No source is read and nothing is imported. Keys and files are forgotten at their time.',
        'Within an hour.',
      ),
    },
  },
  in_trash: {
    title: 'In the trash',
    begins: 'Its reseller deletes it.',
    notified: 'The reseller, by `team.deleted`. The team is notified of nothing.',
    mails: [],
    brand:
      'What still leaves, mails about the account of a person, has the brand, the links and the mail server of the ' +
      'reseller, and goes to its webhook instead where it suppresses that mail.',
    ends:
      'Its reseller restores it within thirty days (`team.restored`); a pause has ended then, of which the ' +
      'administrators are notified. After thirty days all of it is erased.',
    endMails: ['team_unpaused'],
    things: {
      ...everything,
      checks: waits('None runs. Open incidents end as stopped.', atOnce),
      heartbeats: waits('Silence is not judged.', 'With the next expected ping.'),
      pings: isNotThere('The address is unknown.', 'The same address, with the restoration.', missing),
      servers: refused(
        'The token is unknown: an agent keeps what it cannot send.',
        'With the next report; the token is the same.',
        unknown,
      ),
      alerts: isNotThere('Events reach neither the channels of the team nor those of its reseller.', untilRestored),
      deliveries: isNotThere('What waits for another attempt fails.', 'It can be sent again from the log.'),
      mails: isNotThere('What waits is forgotten.', 'With the next mail.'),
      account_mails: goesOn('A person may be in other teams.'),
      pages: isNotThere('At each of their addresses.', untilRestored, missing),
      badges: isNotThere('As if there were no monitor.', untilRestored, missing),
      creates: refused('No token is valid; its reseller finds the team in the trash alone.', untilRestored, unknown),
      writes: refused('As creating.', untilRestored, unknown),
      tokens: refused('Every token of the team is unknown.', 'With the restoration: they are the same.', unknown),
      sign_in: refused('As if there were no such team: a person with another one enters that.', untilRestored, {
        answer: { status: 401, code: 'bad_credentials' },
      }),
      trials: waits(
        'No reminder is sent, and the plan stays.',
        'A trial that ended meanwhile ends with the restoration.',
      ),
      invoices: waits('None is issued, and none is reminded of.', 'Within an hour.'),
      migrations: waits(
        'No source is read and nothing is imported. Keys and files are forgotten at their time.',
        'Within an hour.',
      ),
      workflows: goesOn('Each ends at its moment, and no person is notified.'),
    },
  },
}
