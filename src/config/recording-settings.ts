/** Settings of recordings; the names of the bucket's credentials are those that every S3 client knows. */
import { oneOf, optional, recordingPlace, text, url, whole } from './readers.ts'
import { setting } from './setting.ts'

export const recordingSettings = {
  RECORDINGS: setting(
    '',
    optional(recordingPlace),
    'Where recordings are kept: a folder, or s3://bucket/prefix for an S3-compatible bucket, which all processes share (D258). Default: recordings in DATA_DIR.',
  ),
  RECORDING_DAYS: setting(
    '90',
    whole(1, 36_500),
    'How long recordings are kept; an account may choose fewer days (D325).',
  ),
  RECORDING_LOST_HOURS: setting(
    '24',
    whole(1, 8_760),
    'How long after a call its recording, spooled on a process that is gone, counts as lost (D259).',
  ),
  RECORDING_ENCRYPTION: setting(
    'off',
    oneOf('on', 'off'),
    'Whether new recordings are encrypted where they are kept; those that are there are readable either way (D210).',
  ),
  RECORDING_FORMAT: setting(
    'pcm',
    oneOf('pcm', 'g711'),
    'How new recordings are kept: pcm (16 bits) or g711 (A-law, half the room); they are sent as PCM either way (D275).',
  ),
  MP3_PROGRAM: setting(
    '',
    optional(text),
    'The ffmpeg or lame that makes recordings as MP3 (D586). Default: the one in PATH, if there is one.',
  ),
  DAILY_FILES: setting(
    '',
    optional(recordingPlace),
    'Where changed calls and charges of every account are written once a day, as lines of JSON: a folder, or s3://bucket/prefix (D585). Default: nowhere.',
  ),
  AWS_ACCESS_KEY_ID: setting('', optional(text), 'Access key of the bucket; needed with s3://…'),
  AWS_SECRET_ACCESS_KEY: setting(
    '',
    optional(text),
    'Secret of the access key of the bucket; needed with s3://…',
  ),
  AWS_SESSION_TOKEN: setting('', optional(text), 'Token of temporary credentials of the bucket.'),
  AWS_REGION: setting('us-east-1', text, 'Region of the bucket.'),
  AWS_ENDPOINT_URL: setting(
    '',
    optional(url('http:', 'https:')),
    'Where the S3 API is, if not at AWS; buckets are then named in the path.',
  ),
  AWS_ENDPOINT_URL_S3: setting(
    '',
    optional(url('http:', 'https:')),
    'As AWS_ENDPOINT_URL, for S3 alone; it comes first.',
  ),
} as const
