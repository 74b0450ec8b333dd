import { z } from 'zod'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mayRead } from './input.ts'
import { presetNames, presets } from './kinds/custom/presets.ts'

const PresetView = z
  .object({
    preset: z.enum(presetNames),
    title: z.string(),
    description: z.string(),
    url: z
      .string()
      .nullable()
      .meta({ description: 'null where the service names an address: `config.url` is required.' }),
    fields: z.array(z.object({ name: z.string(), label: z.string(), is_required: z.boolean() })),
    method: z.string(),
    headers: z.record(z.string(), z.string()),
    content_type: z.string(),
    body_template: z.string(),
  })
  .meta({ id: 'ChannelPreset' })

export const listPresets = endpoint({
  method: 'GET',
  path: '/notification-channels/presets',
  operation: 'channelPresets.list',
  summary: 'List the presets of custom notification channels',
  description:
    'A channel of type `custom` with `config.preset` and `config.fields` needs no template. What is not sent is ' +
    'filled in from the preset, and can be changed later.',
  access: mayRead,
  returns: ok({ data: z.array(PresetView) }),
  handle: async () => ({
    data: presetNames.map(preset => ({
      preset,
      ...presets[preset],
      fields: Object.entries(presets[preset].fields).map(([name, { label, isRequired }]) => ({
        name,
        label,
        is_required: isRequired,
      })),
    })),
  }),
})
