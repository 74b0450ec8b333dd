import proto from '@temporalio/proto'

const { History } = proto.temporal.api.history.v1
export type History = proto.temporal.api.history.v1.History

/** As text, one event a line, so that a changed history is a readable change. */
export const writeHistory = (history: proto.temporal.api.history.v1.IHistory): string =>
  `[\n${History.fromObject(history)
    .events.map(event => JSON.stringify(event))
    .join(',\n')}\n]\n`

export const readHistory = (text: string): History => History.fromObject({ events: JSON.parse(text) })
