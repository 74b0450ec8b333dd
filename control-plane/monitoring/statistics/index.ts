import { monitorUptime } from './uptime.ts'

export const statistics = [monitorUptime]
