import type { ChannelType } from '#contract/plans.ts'
import { custom } from './custom/kind.ts'
import { discord } from './discord.ts'
import { email } from './email.ts'
import type { ChannelKind } from './kind.ts'
import { microsoftTeams } from './microsoft-teams.ts'
import { pagerduty } from './pagerduty.ts'
import { slack } from './slack.ts'
import { telegram } from './telegram.ts'
import { webhook } from './webhook.ts'

/** Every type of channel. */
export const kinds: Record<ChannelType, ChannelKind> = {
  webhook,
  email,
  slack,
  discord,
  microsoft_teams: microsoftTeams,
  pagerduty,
  telegram,
  custom,
}
