import { ping, pingByGet } from './ping.ts'

export const cronMonitors = [pingByGet, ping]
