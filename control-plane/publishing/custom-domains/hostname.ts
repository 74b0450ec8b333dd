export { asciiHostname, Hostname, txtLabel, whyRefused } from '#control-plane/base/hostname.ts'
