import {
  closeTry,
  type RegionAnswer,
  TryAnswer,
  type TryDefinition,
  tryAnswerNotice,
  tryNotice,
  tryPatienceMs,
} from '#control-plane/engine/assignments/try-notices.ts'
import type { Services } from '#control-plane/http/services.ts'
import { askRegions, readJson } from './ask-regions.ts'

/** Runs a check once, and returns what each region answered: when all have answered, or when the time is up. */
export async function tryInRegions(
  services: Pick<Services, 'listener' | 'platform' | 'config'>,
  { id, definition }: { id: string; definition: TryDefinition },
): Promise<RegionAnswer[]> {
  const answers = await askRegions(
    services,
    {
      ask: [tryNotice, closeTry(services.config, id, definition)],
      answers: tryAnswerNotice,
      read(payload) {
        const notice = TryAnswer.safeParse(readJson(payload)).data
        return notice?.try === id ? { ...notice, region: notice.answer?.region ?? null } : undefined
      },
    },
    tryPatienceMs,
  )
  return [...answers.values()].filter(answer => answer !== null)
}
