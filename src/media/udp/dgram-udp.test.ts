import { describeUdp } from '../testing/udp-contract-suite.ts'
import { dgramUdp } from './dgram-udp.ts'

describeUdp('node:dgram', dgramUdp)
