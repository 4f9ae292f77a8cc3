#!/bin/bash
# The same as slurm-array.sh, for Grid Engine:
#
#   qsub sge-array.sh
#   qsub -hold_jid evident -cwd -b y evident gather results
#$ -N evident
#$ -cwd
#$ -t 1-4
#$ -j y
#$ -o evident-$TASK_ID.log

evident batch study.toml --data 'subjects/*.csv' --out results --shard auto --resume --threads 1 "$@"
